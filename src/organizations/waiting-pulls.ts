import type {
  OrganizationPullsAnswer,
  OrganizationPullsRequest,
  WaitingPull,
} from '../contract/organization.ts';
import type { Session } from '../people/ports.ts';
import type { Clock } from '../shared/clock.ts';
import { approvalPath, type Origins, pullUrl } from '../shared/links.ts';
import type { OrganizationDeps } from './deps.ts';
import type { Organization, PullSearch, UnapprovedPull } from './ports.ts';
import { requireOwner } from './require-role.ts';

const PULLS_A_PAGE = 50;
const DAY_MS = 24 * 60 * 60_000;
/** In days. */
const AGES = { day: 1, week: 7, month: 30 };
/** A count of many is remembered by its question, so that mustn't change with each millisecond. */
const minuteOf = (clock: Clock) => Math.floor(clock.now().getTime() / 60_000) * 60_000;

/**
 * Lists the organization's open pull requests without an approval for its owners,
 * longest waiting first; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationPulls(
  deps: OrganizationDeps,
  input: OrganizationPullsRequest & { session: Session },
): Promise<OrganizationPullsAnswer> {
  const { session, orgID, search = '', after = '', repo, rule, age = 'any' } = input;
  const org = await requireOwner(deps, session, orgID);
  const until = age === 'any' ? undefined : new Date(minuteOf(deps.clock) - AGES[age] * DAY_MS);
  return waitingIn(deps, org, { search, repo, rule, until, after, most: PULLS_A_PAGE });
}

/** A page of the organization's open pull requests without an approval. */
export async function waitingIn(
  { pullSearch, origins }: OrganizationDeps,
  org: Organization,
  page: Parameters<PullSearch['list']>[1],
): Promise<OrganizationPullsAnswer> {
  const { total, asOf, pulls, next } = await pullSearch.list(org.id, page);
  const shown = pulls.map((pull) => toWaitingPull(origins, org, pull));
  return { total, asOf: asOf.toISOString(), pulls: shown, next };
}

/** An open pull request without an approval, as owners see it: with its links, and what it lacks. */
export function toWaitingPull(origins: Origins, org: Organization, unapproved: UnapprovedPull): WaitingPull {
  const { repoName: repo, pr, title, author, head, since, lacks, denied, agents } = unapproved;
  const linked = linkedPull(org, unapproved);
  return {
    repo,
    pr,
    title,
    author,
    head,
    since: since.toISOString(),
    url: pullUrl(origins, linked),
    approval: approvalPath(origins, { installation: org.installationId }, linked),
    missing: lacks.map(({ missing }) => missing),
    denied: denied && { login: denied.login, reason: denied.reason },
    agents,
  };
}

/** A pull request of the organization as links name it. */
export const linkedPull = (
  { name: owner, orgId: ownerId }: Pick<Organization, 'name' | 'orgId'>,
  { repoId: id, repoName: name, pr: number, title, head }: Omit<UnapprovedPull, 'since'>,
) => ({ number, title, head, repo: { id, owner, name, ownerId } });
