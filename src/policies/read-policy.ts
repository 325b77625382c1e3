import type { Policy } from '../contract/policy.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import { requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import type { Policies } from './ports.ts';

/**
 * The policy in force, for members.
 *
 * @throws AppError with each refusal of `requireMember`.
 */
export async function readPolicy(
  deps: { organizations: Organizations; members: Members; policies: Policies },
  input: { session: Session; orgID: number },
): Promise<Policy> {
  const org = await requireMember(deps, input.session, input.orgID);
  return (await deps.policies.inForce(org.orgId)).policy;
}
