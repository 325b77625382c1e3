import type { PullRequest } from '../approvals/ports.ts';
import type { ReceiptsExport, ReceiptsExportRequest, WithoutReceipt } from '../contract/receipts.ts';
import type { Organization } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { ReceiptDeps } from './deps.ts';
import { parsePeriod } from './export-log.ts';
import { erasedApprovals, whyErased } from './head-receipts.ts';
import { issueReceipts } from './issue-receipts.ts';
import type { ListPosition, ProvedApproval } from './ports.ts';

type ExportQuery = Omit<ReceiptsExportRequest, 'orgID'>;

const RECEIPTS_A_PAGE = 50;

/**
 * The receipts of a period, or of the commits of a release, for owners; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`, `malformed`, and those of `issueReceipts`.
 */
export async function exportReceipts(
  deps: ReceiptDeps,
  { session, orgID, ...query }: ReceiptsExportRequest & { session: Session },
): Promise<ReceiptsExport> {
  const org = await requireOwner(deps, session, orgID);
  if (query.commits) return exportCommits(deps, org, { ...query, commits: query.commits });
  const repoId = query.repo === undefined ? undefined : await repositoryIdOf(deps, org, query.repo);
  if (repoId === null) return { receipts: [], without: [], next: null };
  const { approvals, next } = await deps.provedApprovals.inPeriod({
    orgId: org.orgId,
    repoId,
    ...parsePeriod(query),
    after: query.after === undefined ? undefined : parsePosition(query.after),
    most: RECEIPTS_A_PAGE,
  });
  const { receipts, without } = await issueReceipts(deps, { org, approvals });
  return { receipts, without, next: next && formatPosition(next) };
}

async function exportCommits(
  deps: ReceiptDeps,
  org: Organization,
  { repo, commits, after }: ExportQuery & { commits: string[] },
): Promise<ReceiptsExport> {
  if (repo === undefined) throw new AppError('malformed', { sentence: 'missing repo' });
  const start = after === undefined ? 0 : parseNumber(after, commits.length);
  const repoId = await repositoryIdOf(deps, org, repo);
  const found = await findOfCommits(deps, {
    org,
    repo: { name: repo, id: repoId },
    commits: [...new Set(commits)].slice(start),
    most: RECEIPTS_A_PAGE,
  });
  // Several commits of one pull request have the same approvals.
  const approvals = [...new Map(found.approvals.map((approval) => [approval.id, approval])).values()];
  const { receipts, without } = await issueReceipts(deps, { org, approvals });
  const next = found.isLast ? null : String(start + found.done);
  return { receipts, without: [...found.without, ...without], next };
}

const repositoryIdOf = ({ provedApprovals }: ReceiptDeps, org: Organization, repo: string) =>
  provedApprovals.repositoryNamed(org.orgId, `${org.name}/${repo}`);

const formatPosition = ({ stored, id }: ListPosition) => `${stored.toISOString()} ${id}`;

function parsePosition(after: string): ListPosition {
  const [, time = '', id = ''] = /^(\S{24}) ([a-z0-9]{15})$/.exec(after) ?? [];
  const stored = new Date(time);
  if (Number.isNaN(stored.getTime())) throw new AppError('malformed');
  return { stored, id };
}

function parseNumber(after: string, most: number): number {
  const number = /^[0-9]{1,3}$/.test(after) ? Number(after) : most;
  if (number >= most) throw new AppError('malformed');
  return number;
}

/** `id` is null if no approval is of a repository with this name. */
type Repository = { name: string; id: number | null };

/** The approvals, denials and decisions of one commit, and why it lacks some. */
type Found = { approvals: ProvedApproval[]; without: WithoutReceipt[] };

/** The requests to GitHub of one call: its budget counts them and the question who asks. */
const MOST_LOOKUPS = 18;
const TOO_MANY = 'It has more receipts than fit on one page. The export of a period has all of them.';

/**
 * The approvals, denials and decisions of these commits. A commit that isn't an approved head itself is what a merge made of
 * it, even if it was deployed: then GitHub says which pull request it came from. Stops after a commit if there are `most` approvals or too many requests to
 * GitHub.
 *
 * @returns `without`: why a commit has none. `done`: how many commits were looked at.
 * @throws AppError `githubUnavailable`.
 */
export async function findOfCommits(
  deps: Pick<ReceiptDeps, 'provedApprovals' | 'commitPulls'>,
  input: { org: Organization; repo: Repository; commits: string[]; most: number },
): Promise<Found & { done: number; isLast: boolean }> {
  const { org, repo, commits, most } = input;
  const approvals: ProvedApproval[] = [];
  const without: WithoutReceipt[] = [];
  let lookups = 0;
  let done = 0;
  for (const commit of commits) {
    let { isOfPull, ...found }: OfHead = await findOfHead(deps, { org, repo, head: commit });
    if (!isOfPull) {
      if (lookups === MOST_LOOKUPS) break;
      lookups += 1;
      const ofPull = await findOfPull(deps, { org, repo, commit });
      found = {
        approvals: [...ofPull.approvals, ...found.approvals],
        without: [...ofPull.without, ...found.without],
      };
    }
    if (approvals.length > 0 && approvals.length + found.approvals.length > most) break;
    approvals.push(...found.approvals.slice(0, most));
    without.push(...found.without.map(({ why }) => ({ commit, why })));
    if (found.approvals.length > most) without.push({ commit, why: TOO_MANY });
    done += 1;
  }
  return { approvals, without, done, isLast: done === commits.length };
}

async function findOfPull(
  deps: Pick<ReceiptDeps, 'provedApprovals' | 'commitPulls'>,
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
  return found.some(({ isOfPull }) => isOfPull) ? together : none(whyNone(pulls));
}

/** Merged pull requests have made the commit; without one, open ones have it. A fork's isn't the account's. */
function associated(all: PullRequest[], { orgId }: Organization): PullRequest[] {
  const own = all.filter(({ repo }) => repo.ownerId === orgId);
  const merged = own.filter((pull) => pull.merged);
  return merged.length > 0 ? merged : own;
}

const whyNone = (pulls: PullRequest[]) =>
  `Nobody approved ${pulls.map(({ number, head }) => `${head.slice(0, 8)}, the head of #${number}`).join(', or ')}.`;

/** `isOfPull` is false if nothing of it is about a pull request. */
type OfHead = Found & { isOfPull: boolean };

/** What people decided about a head in this repository; with `pr`, only about this pull request. */
async function findOfHead(
  { provedApprovals }: Pick<ReceiptDeps, 'provedApprovals' | 'commitPulls'>,
  input: { org: Organization; repo: Repository; head: string; pr?: number },
): Promise<OfHead> {
  const { org, repo, head } = input;
  const isOf = ({ repoId, pr }: { repoId: number; pr: number }) =>
    repoId === repo.id && (input.pr ?? pr) === pr;
  const found = await provedApprovals.ofHead(org.orgId, head);
  const erased = await erasedApprovals(provedApprovals, {
    org,
    head,
    isOf: (one) => isOf(one) || (repo.id === null && one.repo === repo.name),
    found,
  });
  const approvals = found.filter(isOf);
  const isOfPull = [...approvals, ...erased].some(({ pr }) => pr !== 0);
  return { approvals, without: erased.map(whyErased(head)), isOfPull };
}
