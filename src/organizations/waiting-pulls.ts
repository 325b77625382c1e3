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
  deps: RoleDeps & { pullSearch: PullSearch; origins: Origins },
  input: { session: Session; orgID: number; search?: string | undefined; after?: string | undefined },
): Promise<OrganizationPullsAnswer> {
  const { session, orgID, search = '', after = '' } = input;
  const org = await requireOwner(deps, session, orgID);
  const { pullSearch, origins } = deps;
  const found = await pullSearch.list(org.id, { search, after, most: PULLS_A_PAGE });
  const { total, asOf, pulls, next } = found;
  return {
    total,
    asOf: asOf.toISOString(),
    pulls: pulls.map((pull) => toWaitingPull(origins, org, pull)),
    next,
  };
}

/** An open pull request without an approval, as owners see it: with its links, and what it lacks. */
export function toWaitingPull(origins: Origins, org: Organization, unapproved: UnapprovedPull): WaitingPull {
  const { repoId, repoName, pr, title, author, head, since, lacks } = unapproved;
  const repo = { id: repoId, owner: org.name, name: repoName, ownerId: org.orgId };
  const pull = { number: pr, title, head, repo };
  return {
    repo: repoName,
    pr,
    title,
    author,
    head,
    since: since.toISOString(),
    url: pullUrl(origins, pull),
    approval: approvalPath(origins, { installation: org.installationId }, pull),
    missing: lacks.map(({ missing }) => missing),
  };
}
