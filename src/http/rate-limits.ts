import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../app-error.ts';
import { systemClock } from '../clock.ts';
import { createExpiringMap } from '../expiring-map.ts';
import type { Limit, Limits } from '../limits.ts';
import type { Sessions } from '../people/ports.ts';
import { sessionKey, tokenOf } from '../people/session.ts';
import { sha256Base64url } from '../sha256.ts';

const MINUTE_MS = 60_000;
/** People stay far below it. */
const REQUESTS_PER_MINUTE = 1_200;
/** Of all sessions of a person: who stole one of them leaves room for the next. */
const REQUESTS_PER_PERSON = 2 * REQUESTS_PER_MINUTE;
/** How many unknown tokens of one address we read from the record store in a minute. */
const TOKENS_PER_MINUTE = 3_000;

export type RateLimits = { calls: RequestHandler; logout: RequestHandler; recordStore: RequestHandler };

/**
 * Limits the requests per minute: of each session and its person, and of each
 * address for everybody else. A token that isn't a session's counts as its
 * sender's address, so a flood of strangers shuts out nobody who is signed in.
 * No other request of a session counts for its logout.
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

  async function limitsOf(request: Request, names: { signedIn: string; address: string }): Promise<Limit[]> {
    const perMinute = (key: string, most: number) => ({ key: `http:${key}`, most, ms: MINUTE_MS });
    const address = ipKeyGenerator(request.ip ?? '');
    const token = tokenOf(request.get('authorization'));
    const holder = token === null ? null : await holderOf(token, address);
    if (token === null || holder === null)
      return [perMinute(`${names.address}:address:${address}`, REQUESTS_PER_MINUTE)];
    return [
      perMinute(`${names.signedIn}:session:${sessionKey(token)}`, REQUESTS_PER_MINUTE),
      perMinute(`${names.signedIn}:person:${holder}`, REQUESTS_PER_PERSON),
    ];
  }

  const limiter =
    (address: string, signedIn = address): RequestHandler =>
    async (request, _response, next) => {
      const wait = await limits.take(await limitsOf(request, { address, signedIn }));
      if (wait > 0) throw new AppError('tooManyRequests', { retryAfter: Math.ceil(wait / 1000) });
      next();
    };
  return {
    calls: limiter('calls'),
    logout: limiter('calls', 'logout'),
    recordStore: limiter('record-store'),
  };
}
