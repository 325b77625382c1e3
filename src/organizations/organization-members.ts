import type { MemberState, OrganizationMembersAnswer } from '../contract/organization.ts';
import type { Session } from '../people/ports.ts';
import type { Members, Memberships, Organizations } from './ports.ts';
import { requireOwner } from './require-role.ts';

const MEMBERS_A_PAGE = 50;

/**
 * Lists the organization's members for its owners, and says who has an
 * authenticator there; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationMembers(
  deps: { organizations: Organizations; members: Members; memberships: Memberships },
  input: { session: Session; orgID: number; state: MemberState; after?: string | undefined },
): Promise<OrganizationMembersAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const found = await deps.memberships.list(org.id, {
    state: input.state,
    after: input.after ?? '',
    most: MEMBERS_A_PAGE + 1,
  });
  const members = found.slice(0, MEMBERS_A_PAGE);
  return { members, next: found.length > MEMBERS_A_PAGE ? (members.at(-1)?.login ?? null) : null };
}
