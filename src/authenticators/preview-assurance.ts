import type { AssurancePreviewAnswer } from '../contract/assurance-preview.ts';
import type { Assurance } from '../contract/policy.ts';
import type { Members, Organizations } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { assuranceFault } from '../policies/assurance.ts';
import type { Policies } from '../policies/ports.ts';
import type { HeldAuthenticators, RelyingParty } from './ports.ts';

export type PreviewDeps = {
  organizations: Organizations;
  members: Members;
  policies: Pick<Policies, 'inForce'>;
  heldAuthenticators: Pick<HeldAuthenticators, 'ofMembers'>;
  relyingParty: Pick<RelyingParty, 'hasAttestationRoots'>;
};

const MOST_LOGINS = 20;

/**
 * Counts the members who have an authenticator that counts now and would have
 * none under another assurance. User verification is left out: only an approval
 * shows it.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function previewAssurance(
  deps: PreviewDeps,
  input: { session: Session; orgID: number; assurance: Assurance },
): Promise<AssurancePreviewAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
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
