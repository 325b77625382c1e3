import type { OrganizationPullsAnswer, WaitingPull } from '../contract/organization.ts';
import type { Session } from '../people/ports.ts';
import { approvalPath, type Origins, pullUrl } from '../shared/links.ts';
import type { Organization, PullSearch, UnapprovedPull } from './ports.ts';
import { type RoleDeps, requireOwner } from './require-role.ts';

const PULLS_A_PAGE = 50;

/**
 * Lists the organization's open pull requests without an approval for its owners,
 * longest waiting first; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationPulls(
  deps: RoleDeps & WaitingDeps,
  input: { session: Session; orgID: number; search?: string | undefined; after?: string | undefined },
): Promise<OrganizationPullsAnswer> {
  const { session, orgID, search = '', after = '' } = input;
  const org = await requireOwner(deps, session, orgID);
  return waitingIn(deps, org, { search, after, most: PULLS_A_PAGE });
}

type WaitingDeps = { pullSearch: PullSearch; origins: Origins };

/** A page of the organization's open pull requests without an approval. */
export async function waitingIn(
  { pullSearch, origins }: WaitingDeps,
  org: Organization,
  page: Parameters<PullSearch['list']>[1],
): Promise<OrganizationPullsAnswer> {
  const { total, asOf, pulls, next } = await pullSearch.list(org.id, page);
  const shown = pulls.map((pull) => toWaitingPull(origins, org, pull));
  return { total, asOf: asOf.toISOString(), pulls: shown, next };
}

/** An open pull request without an approval, as owners see it: with its links, and what it lacks. */
export function toWaitingPull(origins: Origins, org: Organization, unapproved: UnapprovedPull): WaitingPull {
  const { repoName: repo, pr, title, author, head, since, lacks } = unapproved;
  const linked = linkedPull(org, unapproved);
  return {
    ...{ repo, pr, title, author, head },
    since: since.toISOString(),
    url: pullUrl(origins, linked),
    approval: approvalPath(origins, { installation: org.installationId }, linked),
    missing: lacks.map(({ missing }) => missing),
  };
}

/** A pull request of the organization as links name it. */
export const linkedPull = (
  { name: owner, orgId: ownerId }: Pick<Organization, 'name' | 'orgId'>,
  { repoId: id, repoName: name, pr: number, title, head }: Omit<UnapprovedPull, 'since'>,
) => ({ number, title, head, repo: { id, owner, name, ownerId } });
