import type { EnrolmentAnswer, OwnWaiting, WaitingAuthenticator } from '../../contract/enrolment.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Organization } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { requireRegistrant } from '../register/require-registrant.ts';
import { asksForExisting, findUnvouched } from '../trusted-authenticators.ts';
import { toWaiting } from './comparison.ts';
import { mayVouch } from './find-vouched.ts';

const MOST_WAITING = 50;

/**
 * Reads how a first authenticator is guarded in an organization, which of the person's own wait, and, for those
 * who may vouch, who else waits.
 *
 * @throws AppError with each refusal of `requireRegistrant`.
 */
export async function organizationEnrolment(
  deps: AuthenticatorDeps,
  input: { session: Session; orgID: number },
): Promise<EnrolmentAnswer> {
  const { session, orgID } = input;
  const org = await requireRegistrant(deps, session, orgID);
  const role = await deps.members.role(org, session);
  const { policy } = await deps.policies.inForce(orgID);
  const [counted, app, own] = await Promise.all([
    deps.credentials.list(session.userId, org.id),
    deps.totpApps.find(session.userId, org.id),
    findOwn(deps, { session, org, policy }),
  ]);
  const isVoucher = role !== null && mayVouch(policy, role);
  const { mode, domains, vouchers, vouchExistingBy = null } = policy.enrolment;
  return {
    mode,
    domains: mode === 'email' ? domains : [],
    vouchers,
    vouchExistingBy: asksForExisting(policy) ? vouchExistingBy : null,
    active: counted.length + (app ? 1 : 0),
    own,
    mayVouch: isVoucher && counted.length > 0,
    waiting: isVoucher ? await findOthers(deps, { session, org, policy }) : [],
  };
}

type Asked = { session: Session; org: Organization; policy: Policy };

async function findOwn(deps: AuthenticatorDeps, { session, org, policy }: Asked): Promise<OwnWaiting[]> {
  const all = await deps.credentials.all(session.userId, org.id);
  const counted = all.filter(({ pending }) => pending === '');
  const waiting = [
    ...all.filter(({ pending }) => pending !== ''),
    ...(await findUnvouched(deps, policy, counted)),
  ];
  const holder = { id: session.githubId, login: session.login };
  return waiting.map((credential) => ({
    ...toWaiting(credential, { holder, org }),
    keyId: credential.keyId,
  }));
}

async function findOthers(
  { vouches }: AuthenticatorDeps,
  { session, org, policy }: Asked,
): Promise<WaitingAuthenticator[]> {
  const existing = asksForExisting(policy);
  const found = await vouches.waiting(org.id, { existing, most: MOST_WAITING });
  return found
    .filter(({ holder }) => holder.id !== session.githubId)
    .map(({ credential, holder }) => toWaiting(credential, { holder, org }));
}
