import { AppError } from '../shared/app-error.ts';
import type { Clock } from '../shared/clock.ts';
import { sha256Base64url } from '../shared/crypto.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import type { GitHubUser, Person, Session, Sessions, UserTokens } from './ports.ts';

/** The characters of a JWT. The record store would accept a second `Bearer`, and the token look like another one. */
const TOKEN = /^[\w.-]{1,4096}$/;

/** The token in an `Authorization` header, with or without `Bearer`; null if there is none. */
export function tokenOf(authorization: string | undefined): string | null {
  const token = authorization?.replace(/^Bearer\s+/i, '').trim();
  return token && TOKEN.test(token) ? token : null;
}

/** Names a session for counters: all spellings of its token, whose last character can vary, have this in common. */
export const sessionKey = (token: string): string => sha256Base64url(token.replace(/\.[^.]*$/, ''));

/**
 * The session of an `Authorization` header, with or without `Bearer`.
 *
 * @throws AppError `missingAuthToken` without a valid session.
 */
export async function requireSession(
  sessions: Sessions,
  authorization: string | undefined,
): Promise<Session> {
  const token = tokenOf(authorization);
  const session = token === null ? null : await sessions.read(token);
  if (!session) throw new AppError('missingAuthToken');
  return session;
}

/**
 * The person of the session, confirmed by a GitHub token of this App.
 *
 * @throws AppError `missingAuthToken` without a token, `notAuthorizedWithGitHub`
 *   if GitHub refuses it, `otherGitHubAccount` if it belongs to another person.
 */
export async function requirePerson(
  checkToken: TokenChecks,
  session: Session,
  accessToken: string | undefined,
): Promise<Person> {
  if (!accessToken) throw new AppError('missingAuthToken');
  const user = await checkToken(accessToken, session.userId);
  if (!user) throw new AppError('notAuthorizedWithGitHub');
  if (user.id !== session.githubId) throw new AppError('otherGitHubAccount');
  return { ...session, login: user.login, avatarUrl: user.avatarUrl };
}

/** How long we trust GitHub's answer about a user token. */
const TOKEN_CHECK_MS = 60_000;
/** The number of refused tokens that one person may send in that time. */
const MOST_REFUSED = 20;

/**
 * Asks GitHub whose token it is; null if GitHub refuses it.
 *
 * @throws AppError `tooManyRequests` if this session sent too many refused tokens, `githubUnavailable`.
 */
export type TokenChecks = (token: string, userId: string) => Promise<GitHubUser | null>;

/** Asks GitHub at most once a minute for each token, and remembers only a hash of the token. */
export function createTokenChecks(tokens: UserTokens, clock: Clock): TokenChecks {
  const known = createExpiringMap<GitHubUser>(clock, TOKEN_CHECK_MS);
  const refused = createExpiringMap<{ count: number }>(clock, TOKEN_CHECK_MS);
  /** Counts a request before GitHub answers, so that simultaneous ones can't exceed the limit. */
  const countAsRefused = (userId: string) => {
    const counter = refused.get(userId) ?? { count: 0 };
    if (counter.count === 0) refused.set(userId, counter);
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
    known.set(key, user);
    return user;
  };
}
