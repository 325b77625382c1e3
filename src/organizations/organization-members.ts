import type { MemberState, OrganizationMembersAnswer } from '../contract/organization.ts';
import type { Session } from '../people/ports.ts';
import type { Members, Memberships, Organizations } from './ports.ts';
import { requireOwner } from './require-role.ts';

const MEMBERS_A_PAGE = 50;

/**
 * Lists the organization's members for its owners, and says what each has
 * there; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationMembers(
  deps: { organizations: Organizations; members: Members; memberships: Memberships },
  input: {
    session: Session;
    orgID: number;
    state: MemberState;
    search?: string | undefined;
    after?: string | undefined;
  },
): Promise<OrganizationMembersAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const found = await deps.memberships.list(org.id, {
    state: input.state,
    search: input.search ?? '',
    after: input.after ?? '',
    most: MEMBERS_A_PAGE + 1,
  });
  const members = found.members.slice(0, MEMBERS_A_PAGE);
  const isLast = found.members.length <= MEMBERS_A_PAGE;
  return { total: found.total, members, next: isLast ? null : (members.at(-1)?.login ?? null) };
}
