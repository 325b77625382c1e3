import type { Permission } from '../../contract/accounts.ts';
import type { ApprovalTarget } from '../../contract/approvals.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type {
  Installation,
  Organization,
  OrganizationRef,
  RepositoryRef,
} from '../../organizations/ports.ts';
import type { Person } from '../../people/ports.ts';
import { isAtLeast } from '../../policies/counts.ts';
import { AppError } from '../../shared/app-error.ts';
import { type HeadReading, replacePull } from '../check-run/head.ts';
import { readRun } from '../check-run/run.ts';
import type { HeadDeps } from '../deps.ts';
import type { PullRequest } from '../ports.ts';
import { findMovedTargets } from './find-moved-targets.ts';
import { isWelcomeIn } from './outside-collaborators.ts';

/** A target that GitHub confirmed, with GitHub's own names and ids. */
export type AuthorizedTarget = {
  org: Organization;
  repo: RepositoryRef;
  pull: PullRequest;
  /** The repository's open pull requests, and the head's run, which was read before them; empty unless the caller wants them. */
  reading: HeadReading;
  /** The time at which GitHub had answered. */
  readAt: Date;
  /** True if the person isn't a member of the organization, and may approve as an outside collaborator. */
  fromOutside: boolean;
  /** True if the person is an owner of the organization. */
  isOwner: boolean;
};

/** What is read at the same time as everything else. */
type Wanted = {
  /** The head's run, in the repository that has this id as far as we know, and the repository's open pull requests. */
  head?: { repoId: number | undefined };
  /** Called when GitHub may be asked for more about the repository, with the person known to be no stranger. */
  onAdmitted?(repo: RepositoryRef): void;
};

export type Approver = Pick<Person, 'githubId' | 'login'>;

/** What a person asks for, and what we know before GitHub is asked. */
type Request = {
  person: Approver;
  target: ApprovalTarget;
  wanted: Wanted;
  knownAccount: KnownAccount;
  before: Pick<HeadReading, 'run' | 'readFrom'>;
};

/**
 * Reads from GitHub whether this person may approve this head now: the
 * installation belongs to the organization, the pull request is in one of its
 * repositories, open and at this head, and the person is a member who can read
 * the repository, or an outside collaborator whom a rule may name. The
 * client's fields only say what to read; the ids that GitHub returns decide.
 *
 * The target may be from before a rename, a transfer or a new installation. The
 * same checks then apply where the repository is now. A person who may not see
 * it there gets the refusal of the old target, which says nothing about the move.
 *
 * @throws AppError with the first refusal, or `githubUnavailable`.
 */
export async function authorizeApprover(
  deps: HeadDeps,
  person: Approver,
  target: ApprovalTarget,
  wanted: Wanted = {},
): Promise<AuthorizedTarget> {
  const readFrom = deps.clock.now();
  const [knownAccount, run] = await Promise.all([
    findAccount(deps, target),
    readKnownRun(deps, target, wanted),
  ]);
  // An installation never changes its account, so this target was never right.
  if (knownAccount.account && knownAccount.account.orgId !== target.ownerID)
    throw new AppError('installationNotFound');
  const request = { person, target, wanted, knownAccount, before: { run, readFrom } };
  const outcome = await authorizeAt(deps, request).catch(only(HIDDEN));
  if (!(outcome instanceof AppError)) return outcome;
  for await (const moved of findMovedTargets(deps, target)) {
    const movedAccount = await findAccount(deps, moved);
    if (movedAccount.account?.orgId !== moved.ownerID) continue;
    const refused = only([...HIDDEN, 'noRepositoryAccess']);
    const elsewhere = await authorizeAt(deps, {
      ...request,
      target: moved,
      knownAccount: movedAccount,
    }).catch(refused);
    if (!(elsewhere instanceof AppError)) return elsewhere;
  }
  throw outcome;
}

/** The refusals of a person who may not know that there is such a pull request, or of a target that has moved. */
const HIDDEN: ProblemCode[] = ['installationNotFound', 'notMember', 'pullNotFound'];

/** Returns these refusals, and throws every other error. */
const only = (refusals: ProblemCode[]) => (error: unknown) => {
  if (error instanceof AppError && refusals.includes(error.code)) return error;
  throw error;
};

/** Undefined if the repository's id isn't known. */
async function readKnownRun(deps: HeadDeps, target: ApprovalTarget, { head }: Wanted) {
  const repoId = head?.repoId;
  return repoId === undefined
    ? undefined
    : readRun(deps, { repo: repositoryOf(target), repoId, head: target.head });
}

/** `stored` is the organization before GitHub was asked; `installation` is GitHub's answer, if it was asked. */
type KnownAccount = {
  account: OrganizationRef | null;
  installation: Installation | null;
  stored: Organization | null;
};

async function authorizeAt(deps: HeadDeps, request: Request): Promise<AuthorizedTarget> {
  const { target, wanted, knownAccount, before } = request;
  const { installation, standing, permission, subject, readAt } = await askGitHub(deps, request, (repo) => {
    wanted.onAdmitted?.(repo);
    return Promise.all([deps.pulls.get(repo, target.pr), wanted.head ? deps.pulls.listOpen(repo) : null]);
  });
  const [pull, openPulls] = subject;
  const isHidden = wanted.head !== undefined && openPulls === null;
  if (isHidden || pull?.repo.ownerId !== installation.account.id) throw new AppError('pullNotFound');
  // Another repository may have taken the name.
  if (target.repoID !== undefined && target.repoID !== pull.repo.id) throw new AppError('pullNotFound');
  requireAccess(installation, permission);
  requireOpen(pull);
  if (pull.head !== target.head) throw new AppError('headMoved');
  const org = await keepUpToDate(deps, knownAccount.stored, installation);
  const repo = { ...repositoryOf(target), owner: pull.repo.owner, name: pull.repo.name };
  // Another repository's run says nothing about this one's.
  const run = wanted.head?.repoId === pull.repo.id ? before.run : undefined;
  const reading = openPulls ? { ...before, run, pulls: replacePull(openPulls, pull) } : {};
  return {
    org,
    repo,
    pull,
    reading,
    readAt,
    fromOutside: standing === 'outside',
    isOwner: standing === 'owner',
  };
}

type Granted = Permission | 'none';

/** Null for a stranger. */
type Standing = 'owner' | 'member' | 'outside' | null;

/** Who wants to decide about something in which repository, as the client says. */
type Asked = Pick<Request, 'person' | 'knownAccount'> & {
  target: Omit<ApprovalTarget, 'pr' | 'head' | 'repoID'>;
};

/**
 * Reads whether the person belongs to the account, and the subject, which has no permission checked yet. Everything is read
 * in parallel, except for strangers: all members share the installation's rate limit, so a stranger's membership is
 * checked first.
 *
 * @param read Reads the subject, with the person known to be no stranger.
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`, `noRepositoryAccess`, `githubUnavailable`.
 */
export async function askGitHub<Subject>(
  deps: HeadDeps,
  { person, target, knownAccount }: Asked,
  read: (repo: RepositoryRef) => Promise<Subject>,
) {
  const { account } = knownAccount;
  if (!account) throw new AppError('installationNotFound');
  const isExpected = deps.members.isExpected(account, person);
  const repo = repositoryOf(target);
  const admitted = isExpected ? undefined : await requireNoStranger(deps, person, { account, repo });
  const [installation, standing, subject, permission] = await Promise.all([
    knownAccount.installation ?? deps.installations.get(target.installation),
    admitted?.standing ?? standingOf(deps, person, { account, repo }),
    read(repo),
    admitted?.permission ?? deps.access.permission(repo, person),
  ]);
  const readAt = deps.clock.now();
  if (installation?.account.id !== target.ownerID) throw new AppError('installationNotFound');
  if (installation.suspended) throw new AppError('installationSuspended');
  if (!standing) throw new AppError('notMember');
  return { installation, standing, permission, subject, readAt };
}

/**
 * Asks GitHub one question about a person who wasn't a member lately. In a
 * personal account that is the access to this repository, which it returns: the
 * question who is a member there can take a request per repository.
 */
async function requireNoStranger(
  deps: HeadDeps,
  person: Approver,
  { account, repo }: { account: OrganizationRef; repo: RepositoryRef },
): Promise<{ standing: Standing; permission?: Granted }> {
  if (account.accountType === 'User') {
    const permission = await deps.access.permission(repo, person);
    if (!isAtLeast(permission, 'write')) throw new AppError('noRepositoryAccess');
    return { standing: account.orgId === person.githubId ? 'owner' : 'member', permission };
  }
  const standing = await standingOf(deps, person, { account, repo });
  if (!standing) throw new AppError('notMember');
  return { standing };
}

async function standingOf(
  deps: HeadDeps,
  person: Approver,
  { account, repo }: { account: OrganizationRef; repo: RepositoryRef },
): Promise<Standing> {
  const role = await deps.members.role(account, person);
  if (role) return role === 'admin' ? 'owner' : 'member';
  return (await isWelcomeIn(deps, person, { account, repo })) ? 'outside' : null;
}

/** The installation's account: the stored one if there is one, which saves a request; else from GitHub. */
export async function findAccount(
  deps: HeadDeps,
  target: Pick<ApprovalTarget, 'installation' | 'ownerID'>,
): Promise<KnownAccount> {
  const stored = await deps.organizations.byOrgId(target.ownerID);
  if (stored?.installationId === target.installation) return { account: stored, installation: null, stored };
  const installation = await deps.installations.get(target.installation);
  return { account: installation && accountOf(installation), installation, stored };
}

function accountOf({ id, account }: Installation): OrganizationRef {
  return { orgId: account.id, name: account.login, installationId: id, accountType: account.type };
}

/** The account as GitHub shows it, which is saved if that has changed. */
export async function keepUpToDate(
  { organizations }: HeadDeps,
  stored: Organization | null,
  installation: Installation,
): Promise<Organization> {
  const { id, account, suspended } = installation;
  const isUpToDate =
    stored?.orgId === account.id &&
    stored.installationId === id &&
    stored.name === account.login &&
    stored.accountType === account.type &&
    stored.htmlUrl === account.htmlUrl &&
    stored.suspended === suspended;
  return isUpToDate ? stored : organizations.save(installation);
}

/** A personal account's members are the collaborators of each repository, and only they can write to it. */
export function requireAccess({ account }: Installation, permission: Granted): void {
  if (!isAtLeast(permission, account.type === 'User' ? 'write' : 'read'))
    throw new AppError('noRepositoryAccess');
}

/** The repository under the names that the client sent; GitHub's answers decide whether they are right. */
export function repositoryOf(target: Pick<ApprovalTarget, 'installation' | 'owner' | 'repo'>): RepositoryRef {
  return { installation: target.installation, owner: target.owner, name: target.repo };
}

/** @throws AppError `pullMerged` or `pullClosed`, as GitHub shows it. */
export function requireOpen({ open, merged }: Pick<PullRequest, 'open' | 'merged'>): void {
  if (!open) throw new AppError(merged ? 'pullMerged' : 'pullClosed');
}
