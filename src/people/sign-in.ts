import { AppError } from '../shared/app-error.ts';
import type { MembershipsAtSignIn, Users, UserTokens } from './ports.ts';

/**
 * Finishes a sign-in that the record store has accepted: binds the record to
 * its GitHub user permanently, saves GitHub's profile of the user, and updates
 * the memberships.
 *
 * @throws AppError `notAuthorizedWithGitHub` if the token wasn't issued to this
 *   App, `accountRelinked` if the record belongs to another GitHub user: the
 *   link is then undone and the record's sessions end.
 */
export async function signIn<T>(
  deps: { tokens: UserTokens; users: Users; membershipsAtSignIn: MembershipsAtSignIn<T> },
  input: { userId: string; accessToken: string },
): Promise<void> {
  const { tokens, users, membershipsAtSignIn } = deps;
  const { userId, accessToken } = input;
  const [user, found, boundTo] = await Promise.all([
    tokens.check(accessToken),
    membershipsAtSignIn.read(accessToken),
    users.githubIdOf(userId),
  ]);
  if (!user) throw new AppError('notAuthorizedWithGitHub');
  if (boundTo !== 0 && boundTo !== user.id) {
    await users.unlink(userId, user.id);
    throw new AppError('accountRelinked');
  }
  await users.saveProfile(userId, user);
  await membershipsAtSignIn.save({ userId, githubId: user.id, login: user.login }, found);
}
