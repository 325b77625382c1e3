import { AppError } from '../shared/app-error.ts';
import type { Clock } from '../shared/clock.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import { sha256Base64url } from '../shared/sha256.ts';
import type { GitHubUser, UserTokens } from './ports.ts';

/** How long we trust GitHub's answer about a user token. */
const TOKEN_CHECK_MS = 60_000;
/** How many refused tokens one person may send in that time. */
const MOST_REFUSED = 20;

/**
 * Asks GitHub whose token it is; null if GitHub refuses it.
 *
 * @throws AppError `tooManyRequests` if this session sent too many refused tokens, `githubUnavailable`.
 */
export type TokenChecks = (token: string, userId: string) => Promise<GitHubUser | null>;

/** Asks GitHub at most once a minute for each token, and remembers only a hash of the token. */
export function createTokenChecks(tokens: UserTokens, clock: Clock): TokenChecks {
  const known = createExpiringMap<GitHubUser>(clock);
  const refused = createExpiringMap<{ count: number }>(clock);
  /** Counted before GitHub answers, so that many requests at once are no more than that. */
  const countAsRefused = (userId: string) => {
    const counter = refused.get(userId) ?? { count: 0 };
    if (counter.count === 0) refused.set(userId, counter, TOKEN_CHECK_MS);
    // All organizations share the App's own rate limit at GitHub: one session must not use it up.
    if (counter.count >= MOST_REFUSED) {
      throw new AppError('tooManyRequests', { retryAfter: TOKEN_CHECK_MS / 1000 });
    }
    counter.count += 1;
    return counter;
  };
  return async (token, userId) => {
    const key = sha256Base64url(token);
    const remembered = known.get(key);
    if (remembered) return remembered;
    const counter = countAsRefused(userId);
    const user = await tokens.check(token).catch((error: unknown) => {
      counter.count -= 1;
      throw error;
    });
    if (!user) return null;
    counter.count -= 1;
    known.set(key, user, TOKEN_CHECK_MS);
    return user;
  };
}
