import { type Found, note, ok } from './finding.ts';

/** @param deps.ping Undefined if no Redis is set; rejects if it doesn't answer. */
export async function checkRedis(deps: { ping: (() => Promise<unknown>) | undefined }): Promise<Found> {
  if (!deps.ping) return ok('No Redis is set: this process counts alone.');
  try {
    await deps.ping();
    return ok('Redis answers.');
  } catch {
    // The library's message can repeat the address, and so the password.
    return note(
      "Redis doesn't answer or refuses us, so each process takes a third of every limit. Check REDIS_URL.",
    );
  }
}

const ANSWER_MS = 3_000;

/** @throws Error if Redis doesn't answer, or refuses us. */
export async function pingRedis(url: string): Promise<void> {
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
