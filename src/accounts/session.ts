import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { sha256Base64url } from '../sha256.ts';
import type { GitHubUser, Person, Session, Sessions, UserTokens } from './ports.ts';

/** How long GitHub's word on a user token holds. Authority is not cached longer. */
const TOKEN_CHECK_MS = 60_000;
/** Tokens that GitHub refuses, of one person in that time. */
const MOST_REFUSED = 20;

const LONGEST_TOKEN = 4096;

/** The token in an `Authorization` header, with or without `Bearer`; null where there is none. */
export function tokenOf(authorization: string | undefined): string | null {
  const token = authorization?.replace(/^Bearer\s+/i, '').trim();
  return token && token.length <= LONGEST_TOKEN ? token : null;
}

/**
 * The session that an `Authorization` header carries, with or without `Bearer`.
 *
 * @throws AppError `missingAuthToken` without a session that serves.
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

/** @throws AppError `tooManyRequests` where this session brought too many tokens that were none. */
export type TokenChecks = (token: string, userId: string) => Promise<GitHubUser | null>;

/** Asks GitHub whose token it is, once a minute for each token; only a hash of it is remembered. */
export function createTokenChecks(tokens: UserTokens, clock: Clock): TokenChecks {
  const known = new Map<string, { user: GitHubUser; until: number }>();
  const refused = new Map<string, { count: number; until: number }>();
  return async (token, userId) => {
    const now = clock.now().getTime();
    for (const [key, entry] of refused) if (entry.until <= now) refused.delete(key);
    const before = refused.get(userId);
    // All organizations share the App's own limit at GitHub: one session must not use it up.
    if (before && before.count >= MOST_REFUSED)
      throw new AppError('tooManyRequests', { retryAfter: TOKEN_CHECK_MS / 1000 });
    for (const [key, entry] of known) if (entry.until <= now) known.delete(key);
    const key = sha256Base64url(token);
    const hit = known.get(key);
    if (hit) return hit.user;
    const user = await tokens.check(token);
    if (user) known.set(key, { user, until: now + TOKEN_CHECK_MS });
    else
      refused.set(userId, { count: (before?.count ?? 0) + 1, until: before?.until ?? now + TOKEN_CHECK_MS });
    return user;
  };
}

/**
 * The person of the session, vouched for by a GitHub token of this App.
 *
 * @throws AppError `missingAuthToken` without a token, `notAuthorizedWithGitHub`
 *   where GitHub refuses it, `otherGitHubAccount` where it is another person's.
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
