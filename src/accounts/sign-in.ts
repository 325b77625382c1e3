import { AppError } from '../app-error.ts';
import type { Organizations, Users, UserTokens } from './ports.ts';

/**
 * Finishes a sign-in that the record store has accepted: binds the record to
 * its GitHub user for ever, writes the profile from GitHub's own answer, and
 * makes the memberships those that GitHub names now.
 *
 * @throws AppError `notAuthorizedWithGitHub` where the token is not this App's,
 *   `accountRelinked` where the record belongs to another GitHub user: the link
 *   is undone then and its sessions end.
 */
export async function signIn(
  deps: { tokens: UserTokens; users: Users; organizations: Organizations },
  input: { userId: string; accessToken: string },
): Promise<void> {
  const { tokens, users, organizations } = deps;
  const [user, installations, memberships, boundTo] = await Promise.all([
    tokens.check(input.accessToken),
    tokens.installations(input.accessToken),
    tokens.memberships(input.accessToken),
    users.githubIdOf(input.userId),
  ]);
  if (!user) throw new AppError('notAuthorizedWithGitHub');
  if (boundTo !== 0 && boundTo !== user.id) {
    await users.unlink(input.userId, user.id);
    throw new AppError('accountRelinked');
  }
  await users.saveProfile(input.userId, user);

  const roles = new Map(memberships.map(({ orgId, role }) => [orgId, role]));
  const joined = await Promise.all(
    installations.map(async (installation) => {
      const { account } = installation;
      const role =
        account.type === 'User' ? (account.id === user.id ? 'admin' : 'member') : roles.get(account.id);
      // An outside collaborator sees the installation and is no member.
      if (!role) return null;
      return { org: await organizations.save(installation), role };
    }),
  );
  await users.saveMemberships(
    { userId: input.userId, githubId: user.id, login: user.login },
    joined.filter((membership) => membership !== null),
  );
}
