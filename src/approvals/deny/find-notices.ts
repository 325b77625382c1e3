import type { NewNotice } from '../../notices/ports.ts';
import type { Person } from '../../people/ports.ts';
import { isAtLeast } from '../../policies/counts.ts';
import type { AuthorizedIn } from '../approve/store-approval.ts';
import type { HeadDeps } from '../deps.ts';

/**
 * The e-mail to the person whose work somebody denies or rejects. None if they do it themselves, if they never signed in
 * here, or if they can no longer read the repository.
 *
 * @param work.about Names the work.
 * @throws AppError `githubUnavailable`: call it before anything is used up.
 */
export async function findNotices(
  { users, access }: Pick<HeadDeps, 'users' | 'access'>,
  given: { person: Person; authorized: AuthorizedIn; reason: string },
  work: {
    kind: 'pullDenied' | 'deployRejected';
    account: { id: number; login: string } | null;
    about: NewNotice['data'];
  },
): Promise<NewNotice[]> {
  const { person, authorized, reason } = given;
  const { kind, account, about } = work;
  if (!account || account.id === person.githubId) return [];
  const userId = await users.userIdOf(account.id);
  if (!userId) return [];
  const { org, repo } = authorized;
  const permission = await access.permission(repo, { githubId: account.id, login: account.login });
  if (!isAtLeast(permission, 'read')) return [];
  return [{ kind, userId, data: { org: org.name, by: person.login, reason, ...about } }];
}
