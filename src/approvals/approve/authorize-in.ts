import type { ApprovalTarget } from '../../contract/approvals.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { HeadDeps } from '../deps.ts';
import {
  type Approver,
  type AuthorizedTarget,
  canApprove,
  findAccount,
  isUpToDate,
  repositoryOf,
  requireNoStranger,
  standingOf,
} from './authorize-approver.ts';

/**
 * Reads from GitHub whether this person may decide about something in a repository, as for a pull request of it.
 *
 * @param read Reads the subject, with the person known to be no stranger.
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`, `noRepositoryAccess`, `githubUnavailable`.
 */
export async function authorizeIn<Subject>(
  deps: HeadDeps,
  person: Approver,
  target: Omit<ApprovalTarget, 'pr' | 'head' | 'repoID'>,
  read: (repo: RepositoryRef) => Promise<Subject>,
): Promise<Pick<AuthorizedTarget, 'org' | 'repo' | 'fromOutside'> & { subject: Subject }> {
  const { account, stored, ...known } = await findAccount(deps, target);
  if (account?.orgId !== target.ownerID) throw new AppError('installationNotFound');
  const repo = repositoryOf(target);
  const admitted = deps.members.isExpected(account, person)
    ? undefined
    : await requireNoStranger(deps, person, { account, repo });
  const [installation, standing, permission, subject] = await Promise.all([
    known.installation ?? deps.installations.get(target.installation),
    admitted?.standing ?? standingOf(deps, person, { account, repo }),
    admitted?.permission ?? deps.access.permission(repo, person),
    read(repo),
  ]);
  if (installation?.account.id !== target.ownerID) throw new AppError('installationNotFound');
  if (installation.suspended) throw new AppError('installationSuspended');
  if (!standing) throw new AppError('notMember');
  if (!canApprove(installation, permission)) throw new AppError('noRepositoryAccess');
  const org = isUpToDate(stored, installation) ? stored : await deps.organizations.save(installation);
  return { org, repo, fromOutside: standing === 'outside', subject };
}
