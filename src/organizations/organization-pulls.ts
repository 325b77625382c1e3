import type { OrganizationPullsAnswer } from '../contract/organization.ts';
import type { Session } from '../people/ports.ts';
import type { Origins } from '../shared/links.ts';
import type { Members, Organizations, PullSearch } from './ports.ts';
import { requireOwner } from './require-role.ts';
import { toWaitingPull } from './waiting-pull.ts';

const PULLS_A_PAGE = 50;

/**
 * Lists the organization's open pull requests without an approval for its owners,
 * longest waiting first; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationPulls(
  deps: { organizations: Organizations; members: Members; pullSearch: PullSearch; origins: Origins },
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
