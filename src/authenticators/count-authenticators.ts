import type { OrganizationAuthenticatorsAnswer } from '../contract/organization.ts';
import type { Assurance } from '../contract/policy.ts';
import type { AssurancePreviewAnswer } from '../contract/policy-calls.ts';
import { requireOwner, storedMembership } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { assuranceFault } from '../policies/assurance.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorCallDeps } from './call-deps.ts';
import type { AuthenticatorDeps } from './deps.ts';

type Deps = AuthenticatorDeps & Pick<AuthenticatorCallDeps, 'heldAuthenticators'>;

/**
 * Counts an organization's authenticators of each kind, for its owners by our copy of GitHub's list: the record
 * store shows them the authenticators themselves by the same copy.
 *
 * @throws AppError `notOwner`, for its owners too if the App is suspended or not installed there.
 */
export async function countAuthenticators(
  deps: Deps,
  { session, orgID }: { session: Session; orgID: number },
): Promise<OrganizationAuthenticatorsAnswer> {
  const { org, role } = (await storedMembership(deps, session, orgID)) ?? {};
  if (!org || role !== 'admin' || org.suspended || org.installationId === 0) throw new AppError('notOwner');
  return deps.heldAuthenticators.count(org.id);
}

const MOST_LOGINS = 20;

/**
 * Counts the members who have an authenticator that counts now and would have
 * none under another assurance. User verification is left out: only an approval
 * shows it.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function previewAssurance(
  deps: Deps,
  input: { person: Session; orgID: number; assurance: Assurance },
): Promise<AssurancePreviewAnswer> {
  const org = await requireOwner(deps, input.person, input.orgID);
  const [{ policy }, held] = await Promise.all([
    deps.policies.inForce(org.orgId),
    deps.heldAuthenticators.ofMembers(org.id),
  ]);
  const hasRoots = deps.relyingParty.hasAttestationRoots;
  const holdersUnder = (assurance: Assurance) =>
    new Set(held.filter((one) => !assuranceFault(assurance, one, hasRoots)).map(({ login }) => login));
  const now = holdersUnder(policy.assurance);
  const then = holdersUnder(input.assurance);
  const without = [...now].filter((login) => !then.has(login)).sort();
  return { enrolled: now.size, without: without.length, logins: without.slice(0, MOST_LOGINS) };
}
