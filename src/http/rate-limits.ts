import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../app-error.ts';
import { systemClock } from '../clock.ts';
import { createExpiringMap } from '../expiring-map.ts';
import type { Limits } from '../limits.ts';
import type { Sessions } from '../people/ports.ts';
import { tokenOf } from '../people/session.ts';
import { sha256Base64url } from '../sha256.ts';

const MINUTE_MS = 60_000;
/** People stay far below it. */
const REQUESTS_PER_MINUTE = 1_200;
/** How many unknown tokens of one address we read from the record store in a minute. */
const TOKENS_PER_MINUTE = 3_000;

export type RateLimits = { calls: RequestHandler; recordStore: RequestHandler };

/**
 * Limits the requests per minute: of each person who is signed in, and of each
 * address for everybody else. A token that isn't a session's counts as its
 * sender's address, so a flood of strangers shuts out nobody who is signed in.
 */
export function createRateLimits({ limits, sessions }: { limits: Limits; sessions: Sessions }): RateLimits {
  /** Whose sessions these recent tokens are, by hash. It only chooses the limit, and proves nothing. */
  const holders = createExpiringMap<string>(systemClock);

  async function holderOf(token: string, address: string): Promise<string | null> {
    const hash = sha256Base64url(token);
    const known = holders.get(hash);
    if (known) return known;
    const reading = { key: `tokens:${address}`, most: TOKENS_PER_MINUTE, ms: MINUTE_MS };
    if ((await limits.take([reading])) > 0) return null;
    const session = await sessions.read(token).catch(() => null);
    if (session) holders.set(hash, session.userId, MINUTE_MS);
    return session?.userId ?? null;
  }

  async function senderOf(request: Request): Promise<string> {
    const address = ipKeyGenerator(request.ip ?? '');
    const token = tokenOf(request.get('authorization'));
    const holder = token === null ? null : await holderOf(token, address);
    return holder === null ? `address:${address}` : `person:${holder}`;
  }

  const limiter =
    (name: string): RequestHandler =>
    async (request, _response, next) => {
      const key = `http:${name}:${await senderOf(request)}`;
      const wait = await limits.take([{ key, most: REQUESTS_PER_MINUTE, ms: MINUTE_MS }]);
      if (wait > 0) throw new AppError('tooManyRequests', { retryAfter: Math.ceil(wait / 1000) });
      next();
    };
  return { calls: limiter('calls'), recordStore: limiter('record-store') };
}
