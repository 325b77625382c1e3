import { AppError } from '../app-error.ts';
import type { ReceiptsExport } from '../contract/receipts.ts';
import type { Members, Organization, Organizations } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { type CommitsDeps, findOfCommits } from './find-of-commits.ts';
import { type IssueDeps, type Issued, issueReceipts, splitIssued } from './issue-receipts.ts';
import { parsePeriod } from './parse-period.ts';
import type { ListPosition, ProvedApproval, ProvedApprovals } from './ports.ts';

export type ReceiptsExportDeps = IssueDeps &
  CommitsDeps & { organizations: Organizations; members: Members; provedApprovals: ProvedApprovals };

export type ExportQuery = {
  from?: string | undefined;
  to?: string | undefined;
  repo?: string | undefined;
  commits?: string[] | undefined;
  after?: string | undefined;
};

const RECEIPTS_A_PAGE = 50;

/**
 * The receipts of a period, or of the commits of a release, for owners; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`, `malformed`, and those of `issueReceipts`.
 */
export async function exportReceipts(
  deps: ReceiptsExportDeps,
  { session, orgID, query }: { session: Session; orgID: number; query: ExportQuery },
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
  return toPage(await issueReceipts(deps, { org, approvals }), next && formatPosition(next));
}

async function exportCommits(
  deps: ReceiptsExportDeps,
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
  const issued = await issueReceipts(deps, { org, approvals: unique(found.approvals) });
  const page = toPage(issued, found.isLast ? null : String(start + found.done));
  return { ...page, without: [...found.without, ...page.without] };
}

const repositoryIdOf = ({ provedApprovals }: ReceiptsExportDeps, org: Organization, repo: string) =>
  provedApprovals.repositoryNamed(org.orgId, `${org.name}/${repo}`);

/** Several commits of one pull request have the same approvals. */
const unique = (approvals: ProvedApproval[]) => [
  ...new Map(approvals.map((approval) => [approval.id, approval])).values(),
];

function toPage(issued: Issued[], next: string | null): ReceiptsExport {
  const { receipts, without } = splitIssued(issued);
  return { receipts, without, next };
}

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
