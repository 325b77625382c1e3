import type { PullRequest } from '../approvals/ports.ts';
import type { WithoutReceipt } from '../contract/receipts.ts';
import type { Organization } from '../organizations/ports.ts';
import { erasedApprovals } from './erased-approvals.ts';
import type { CommitPulls, ProvedApproval, ProvedApprovals } from './ports.ts';

export type CommitsDeps = { provedApprovals: ProvedApprovals; commitPulls: CommitPulls };

/** `id` is null if no approval is of a repository with this name. */
type Repository = { name: string; id: number | null };

/** What is known about one commit. */
type Found = { approvals: ProvedApproval[]; without: WithoutReceipt[] };

/** Each is one request to GitHub. With the question who asks, that's what the call's budget counts. */
const MOST_LOOKUPS = 18;

/**
 * The approvals of these commits. One that isn't an approved head itself is what a merge made of it: then GitHub says
 * which pull request it came from. Stops after a commit if there are `most` approvals or too many requests to GitHub.
 *
 * @returns `without`: why a commit has none. `done`: how many commits were looked at.
 * @throws AppError `githubUnavailable`.
 */
export async function findOfCommits(
  deps: CommitsDeps,
  input: { org: Organization; repo: Repository; commits: string[]; most: number },
): Promise<Found & { done: number; isLast: boolean }> {
  const { org, repo, commits, most } = input;
  const approvals: ProvedApproval[] = [];
  const without: WithoutReceipt[] = [];
  let lookups = 0;
  let done = 0;
  for (const commit of commits) {
    let found = await findOfHead(deps, { org, repo, head: commit });
    if (isNothing(found)) {
      if (lookups === MOST_LOOKUPS) break;
      lookups += 1;
      found = await findOfPull(deps, { org, repo, commit });
    }
    if (approvals.length > 0 && approvals.length + found.approvals.length > most) break;
    approvals.push(...found.approvals.slice(0, most));
    without.push(...found.without.map(({ why }) => ({ commit, why })));
    done += 1;
  }
  return { approvals, without, done, isLast: done === commits.length };
}

async function findOfPull(
  deps: CommitsDeps,
  { org, repo, commit }: { org: Organization; repo: Repository; commit: string },
): Promise<Found> {
  const none = (why: string): Found => ({ approvals: [], without: [{ commit, why }] });
  const ref = { installation: org.installationId, owner: org.name, name: repo.name };
  const all = await deps.commitPulls.ofCommit(ref, commit);
  if (!all) return none('GitHub shows OTP Guard no such commit in this repository.');
  const pulls = associated(all, org);
  if (pulls.length === 0) return none('GitHub knows no pull request with this commit.');
  const found = await Promise.all(pulls.map((pull) => findOfHead(deps, { org, ...pull, pr: pull.number })));
  const together = {
    approvals: found.flatMap(({ approvals }) => approvals),
    without: found.flatMap(({ without }) => without),
  };
  return isNothing(together) ? none(whyNone(pulls)) : together;
}

/** Merged ones have made the commit; without one, those that are open have it. A fork's isn't the account's. */
function associated(all: PullRequest[], { orgId }: Organization): PullRequest[] {
  const own = all.filter(({ repo }) => repo.ownerId === orgId);
  const merged = own.filter((pull) => pull.merged);
  return merged.length > 0 ? merged : own;
}

const whyNone = (pulls: PullRequest[]) =>
  `Nobody approved ${pulls.map(({ number, head }) => `${head.slice(0, 8)}, the head of #${number}`).join(', or ')}.`;

/** Those of a head in this repository; with `pr`, of this pull request only. */
async function findOfHead(
  { provedApprovals }: CommitsDeps,
  input: { org: Organization; repo: Repository; head: string; pr?: number },
): Promise<Found> {
  const { org, repo, head } = input;
  const isOf = ({ repoId, pr }: { repoId: number; pr: number }) =>
    repoId === repo.id && (input.pr ?? pr) === pr;
  const found = await provedApprovals.ofHead(org.orgId, head);
  const without = await erasedApprovals(provedApprovals, {
    org,
    head,
    isOf: (erased) => isOf(erased) || (repo.id === null && erased.repo === repo.name),
    found,
  });
  return { approvals: found.filter(isOf), without };
}

const isNothing = ({ approvals, without }: Found) => approvals.length === 0 && without.length === 0;
