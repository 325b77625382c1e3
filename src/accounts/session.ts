import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { sha256Base64url } from '../sha256.ts';
import type { GitHubUser, Person, Session, Sessions, UserTokens } from './ports.ts';

/** How long GitHub's word on a user token holds. Authority is not cached longer. */
const TOKEN_CHECK_MS = 60_000;

/**
 * The session that an `Authorization` header carries, with or without `Bearer`.
 *
 * @throws AppError `missingAuthToken` without a session that serves.
 */
export async function requireSession(
  sessions: Sessions,
  authorization: string | undefined,
): Promise<Session> {
  const token = authorization?.replace(/^Bearer\s+/i, '').trim();
  const session = token && token.length <= 4096 ? await sessions.read(token) : null;
  if (!session) throw new AppError('missingAuthToken');
  return session;
}

export type TokenChecks = (token: string) => Promise<GitHubUser | null>;

/** Asks GitHub whose token it is, once a minute for each token; only a hash of it is remembered. */
export function createTokenChecks(tokens: UserTokens, clock: Clock): TokenChecks {
  const known = new Map<string, { user: GitHubUser; until: number }>();
  return async (token) => {
    const now = clock.now().getTime();
    for (const [key, entry] of known) if (entry.until <= now) known.delete(key);
    const key = sha256Base64url(token);
    const hit = known.get(key);
    if (hit) return hit.user;
    const user = await tokens.check(token);
    if (user) known.set(key, { user, until: now + TOKEN_CHECK_MS });
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
  const user = await checkToken(accessToken);
  if (!user) throw new AppError('notAuthorizedWithGitHub');
  if (user.id !== session.githubId) throw new AppError('otherGitHubAccount');
  return { ...session, login: user.login, avatarUrl: user.avatarUrl };
}
