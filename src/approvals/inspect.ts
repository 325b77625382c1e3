import type {
  Installation,
  Members,
  Organization,
  OrganizationRef,
  Organizations,
  Person,
} from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { ApprovalTarget } from '../contract/approvals.ts';
import type { Installations, PullRequest, PullRequests, RepositoryAccess, RepositoryRef } from './ports.ts';
import { withPull } from './with-pull.ts';

export type InspectDeps = {
  installations: Installations;
  organizations: Organizations;
  members: Members;
  access: RepositoryAccess;
  pulls: PullRequests;
};

/** A target that GitHub itself confirmed, member for member. */
export type Inspected = { org: Organization; repo: RepositoryRef; pull: PullRequest; open: PullRequest[] };

/**
 * Asks GitHub, now, whether this person may approve this head: the installation
 * belongs to the organization, the pull request is the organization's, open and
 * at this head, and the person is a member who can read the repository. What
 * the client sent only says what to ask for; ids from GitHub decide.
 *
 * @throws AppError with the first refusal; an answer that does not come is a
 *   refusal too (`githubUnavailable`).
 */
export async function inspect(
  deps: InspectDeps,
  person: Pick<Person, 'githubId' | 'login'>,
  target: ApprovalTarget,
): Promise<Inspected> {
  const repo = repoOf(target);
  const known = await deps.organizations.byOrgId(target.ownerID);
  // The account that we know lets all questions go out at once; the answer about the installation decides.
  const isKnown = known?.installationId === target.installation;
  const found = isKnown ? null : await deps.installations.get(target.installation);
  const account = isKnown ? known : found && accountOf(found);
  if (account?.orgId !== target.ownerID) throw new AppError('installationNotFound');
  // A stranger costs one question, not all of them: the organization has one budget at GitHub for everybody.
  const isExpected = deps.members.isExpected(account, person);
  if (!isExpected && !(await deps.members.role(account, person))) throw new AppError('notMember');
  const [installation, isMember, pull, open, level] = await Promise.all([
    found ?? deps.installations.get(target.installation),
    isExpected ? deps.members.role(account, person) : true,
    deps.pulls.get(repo, target.pr),
    deps.pulls.listOpen(repo),
    deps.access.level(repo, person),
  ]);
  if (installation?.account.id !== target.ownerID) throw new AppError('installationNotFound');
  if (installation.suspended) throw new AppError('installationSuspended');
  if (!isMember) throw new AppError('notMember');
  if (!open || !pull || pull.repo.ownerId !== installation.account.id) throw new AppError('pullNotFound');
  // The members of a personal account are the collaborators of each repository, for that repository.
  const isEnough = installation.account.type === 'User' ? level === 'write' : level !== 'none';
  if (!isEnough) throw new AppError('noRepositoryAccess');
  if (!pull.open) throw new AppError('pullClosed');
  if (pull.head !== target.head) throw new AppError('headMoved');
  const org = await deps.organizations.save(installation);
  const here = { ...repo, owner: pull.repo.owner, name: pull.repo.name };
  return { org, repo: here, pull, open: withPull(open, pull) };
}

/** How the client says that the repository is reached; GitHub's answers say whether it is so. */
export function repoOf(target: ApprovalTarget): RepositoryRef {
  return { installation: target.installation, owner: target.owner, name: target.repo };
}

function accountOf(installation: Installation): OrganizationRef {
  const { id, account } = installation;
  return { orgId: account.id, name: account.login, installationId: id, accountType: account.type };
}
