import { AppError } from '../shared/app-error.ts';
import { sha256Base64url } from '../shared/sha256.ts';
import type { Person, Session, Sessions } from './ports.ts';
import type { TokenChecks } from './token-checks.ts';

/** The characters of a JWT. The record store would accept a second `Bearer`, and the token look like another one. */
const TOKEN = /^[\w.-]{1,4096}$/;

/** The token in an `Authorization` header, with or without `Bearer`; null if there is none. */
export function tokenOf(authorization: string | undefined): string | null {
  const token = authorization?.replace(/^Bearer\s+/i, '').trim();
  return token && TOKEN.test(token) ? token : null;
}

/** To count a session by: what it has in common in all spellings of its token, whose last character can vary. */
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
