import type { RepositoryRef } from '../../organizations/ports.ts';
import type { Person } from '../../people/ports.ts';
import { isAtLeast } from '../../policies/counts.ts';
import type { HeadDeps } from '../deps.ts';

/**
 * The record id of the person whose work somebody denies or rejects, for an e-mail about it. Null if they do it themselves,
 * if they never signed in here, or if they can no longer read the repository.
 *
 * @throws AppError `githubUnavailable`: call it before anything is used up.
 */
export async function findReader(
  { users, access }: Pick<HeadDeps, 'users' | 'access'>,
  {
    repo,
    account,
    person,
  }: {
    repo: RepositoryRef;
    account: { id: number; login: string } | null;
    person: Pick<Person, 'githubId'>;
  },
): Promise<string | null> {
  if (!account || account.id === person.githubId) return null;
  const userId = await users.userIdOf(account.id);
  if (!userId) return null;
  const permission = await access.permission(repo, { githubId: account.id, login: account.login });
  return isAtLeast(permission, 'read') ? userId : null;
}
