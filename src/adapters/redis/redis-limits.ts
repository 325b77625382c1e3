import type { Redis, Result } from 'ioredis';
import { createMemoryLimits, type Limits, PARTS } from '../../shared/limits.ts';
import type { Log } from '../../shared/log-events.ts';

/**
 * The same as `take` of the memory's limits, in one step for all processes, by Redis's clock.
 * KEYS: one per limit. ARGV: most, ms and cost of each.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wait = 0
for i, key in ipairs(KEYS) do
  local most, ms, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local size = math.max(1, math.floor(ms / ${PARTS}))
  local counts, live, excess = redis.call('HGETALL', key), {}, cost - most
  for j = 1, #counts, 2 do
    local ends = (tonumber(counts[j]) + 1) * size + ms
    if ends <= now then
      redis.call('HDEL', key, counts[j])
    else
      live[#live + 1] = { ends, tonumber(counts[j + 1]) }
      excess = excess + live[#live][2]
    end
  end
  if excess > 0 then
    table.sort(live, function(one, other) return one[1] < other[1] end)
    local ends = now + ms
    for _, part in ipairs(live) do
      excess = excess - part[2]
      if excess <= 0 then ends = part[1] break end
    end
    wait = math.max(wait, ends - now)
  end
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  local ms = tonumber(ARGV[3 * i - 1])
  local size = math.max(1, math.floor(ms / ${PARTS}))
  redis.call('HINCRBY', key, string.format('%.0f', math.floor(now / size)), ARGV[3 * i])
  redis.call('PEXPIRE', key, ms + size)
end
return 0`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeLimits(count: number, ...keysAndArguments: (string | number)[]): Result<number, Context>;
  }
}

/** While Redis doesn't answer, each process takes this share of every limit: enough for three processes. */
const SHARE = 1 / 3;
const COMMAND_MS = 500;
const CONNECT_MS = 2_000;
const LONGEST_PAUSE_MS = 5_000;

export type SharedLimits = Limits & {
  /** Tells whether Redis answers; null if none is set. */
  isShared: (() => boolean) | null;
  close(): void;
};

/**
 * Limits that all processes with this Redis share. They never wait for Redis: if it doesn't answer, each process
 * counts alone and takes a third of every limit, until Redis answers again.
 *
 * @param input.appId Keeps the counts of two Apps apart.
 */
export async function connectLimits(
  url: string | undefined,
  { appId, log }: { appId: number; log: Log },
): Promise<SharedLimits> {
  const local = createMemoryLimits();
  if (url === undefined) return { ...local, isShared: null, close: () => undefined };
  const redis = await connect(url, `otp-guard:${appId}:`, log);
  await redis.connect().catch(() => undefined);
  return {
    async take(limits) {
      const values = limits.flatMap(({ most, ms, cost = 1 }) => [most, ms, cost]);
      const keys = limits.map(({ key }) => key);
      const wait = await redis.takeLimits(keys.length, ...keys, ...values).catch(() => undefined);
      if (wait === undefined)
        return local.take(limits.map((limit) => ({ ...limit, most: Math.floor(limit.most * SHARE) })));
      // This process counts too, so that an outage of Redis doesn't start from zero.
      if (wait === 0) await local.take(limits.map((limit) => ({ ...limit, most: Number.MAX_SAFE_INTEGER })));
      return wait;
    },
    async block(key, ms) {
      await local.block(key, ms);
      // The longest of several waits counts.
      if ((await redis.pttl(`block:${key}`).catch(() => 0)) >= ms) return;
      await redis.set(`block:${key}`, 1, 'PX', Math.ceil(ms)).catch(() => undefined);
    },
    async blockedFor(key) {
      const ms = await local.blockedFor(key);
      if (ms > 0) return ms;
      return Math.max(0, await redis.pttl(`block:${key}`).catch(() => 0));
    },
    isShared: () => redis.status === 'ready',
    close: () => redis.disconnect(),
  };
}

/**
 * A connection whose commands fail immediately while Redis is away. The URL can contain a password, so no error is
 * logged.
 */
async function connect(url: string, prefix: string, log: Log): Promise<Redis> {
  // Loaded when it's needed: most installations have no Redis, and its client takes a tenth of the start.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    keyPrefix: prefix,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_MS,
    connectTimeout: CONNECT_MS,
    retryStrategy: (tries) => Math.min(tries * 200, LONGEST_PAUSE_MS),
  });
  redis.defineCommand('takeLimits', { lua: TAKE });
  let isAway = false;
  redis.on('error', () => {
    if (!isAway)
      log.warn({ event: 'redis_away' }, 'Redis does not answer; each process takes a third of every limit');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) log.info({ event: 'redis_back' }, 'Redis answers again');
    isAway = false;
  });
  return redis;
}
