import { type ApprovalTarget, LONGEST_MESSAGE, type PullChangesAnswer } from '../../contract/approvals.ts';
import type { Organization } from '../../organizations/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { HeadDeps } from '../deps.ts';
import { findEarlier } from '../story.ts';
import type { ApprovalCallDeps } from './deps.ts';

type DescribeDeps = HeadDeps & Pick<ApprovalCallDeps, 'headCommits' | 'commitTrees'>;

/** Pull requests that share a number and a head are in forks; more are unlikely. */
const MOST_NAMESAKES = 20;

/**
 * The message of a head commit, and whether its files are those of the head
 * that was approved before, as after an amend of the message alone.
 *
 * GitHub decides who may read it: it is asked with the person's own token, at
 * most twice, which costs the installation nothing.
 *
 * @throws AppError `installationNotFound`; `pullNotFound` if GitHub doesn't show the person the pull request.
 */
export async function describeHead(
  deps: DescribeDeps,
  { accessToken, target }: { accessToken: string; target: ApprovalTarget },
): Promise<PullChangesAnswer> {
  const org = await deps.organizations.byOrgId(target.ownerID);
  if (org?.installationId !== target.installation || !isSame(org.name, target.owner))
    throw new AppError('installationNotFound');
  const headCommit = await deps.headCommits.read(accessToken, target);
  if (!headCommit) throw new AppError('pullNotFound');
  const { commit } = headCommit;
  if (!commit) return { message: null, isCut: false, sameFilesAs: null };
  // Whole characters: half a surrogate pair isn't one.
  const message = [...commit.message].slice(0, LONGEST_MESSAGE).join('');
  return {
    message,
    isCut: message.length < commit.message.length,
    sameFilesAs: await findSameFiles(deps, { org, target, tree: commit.tree }),
  };
}

/** Looks only at a pull request that a webhook reported, so that no stranger can fill the store. */
async function findSameFiles(
  { openPulls, commitTrees, approvals }: DescribeDeps,
  { org, target: { pr, head, repo }, tree }: { org: Organization; target: ApprovalTarget; tree: string },
): Promise<PullChangesAnswer['sameFilesAs']> {
  const namesakes = await openPulls.repositories({ pr, head }, MOST_NAMESAKES);
  const repository = namesakes.find(({ ownerId, name }) => ownerId === org.orgId && isSame(name, repo));
  if (!repository) return null;
  await commitTrees.save(head, tree);
  const { approvals: ofPull } = await approvals.ofPull(repository.id, pr);
  const before = findEarlier(ofPull, head)?.head;
  if (before === undefined || (await commitTrees.of(before)) !== tree) return null;
  const base = (await openPulls.withHead(repository.id, head)).find((one) => one.pr === pr)?.base;
  // The same files are another change for another base branch.
  const isSameChange = ofPull.some(
    (approval) => approval.head === before && approval.base === base && !approval.withdrawn,
  );
  return isSameChange ? before : null;
}

/** GitHub's names are the same in any case. */
const isSame = (name: string, other: string) => name.toLowerCase() === other.toLowerCase();
