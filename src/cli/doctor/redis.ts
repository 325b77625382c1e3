import { type Found, ok, problem } from './finding.ts';

export async function checkRedis(url: string | undefined, ping = pingRedis): Promise<Found> {
  if (url === undefined) return ok('No Redis is set: this process counts alone.');
  try {
    await ping(url);
    return ok('Redis answers.');
  } catch {
    // The library's message can repeat the address, and so the password.
    return problem(
      "Redis doesn't answer or refuses us, so each process takes a third of every limit. Check REDIS_URL.",
    );
  }
}

const ANSWER_MS = 3_000;

/** @throws Error if Redis doesn't answer, or refuses us. */
async function pingRedis(url: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}
