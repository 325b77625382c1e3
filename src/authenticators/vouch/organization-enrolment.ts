import { accountOf } from '../../audit/subjects.ts';
import type { EnrolmentAnswer } from '../../contract/enrolment.ts';
import type { Session } from '../../people/ports.ts';
import { toWaiting } from '../comparison.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { requireRegistrant } from '../require-registrant.ts';
import { findUnvouched, needsVouchForAll } from '../trusted-authenticators.ts';
import { mayVouch } from './vouch.ts';

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
  const [counted, app, all] = await Promise.all([
    deps.credentials.list(session.userId, org.id),
    deps.totpApps.find(session.userId, org.id),
    deps.credentials.all(session.userId, org.id),
  ]);
  const unvouched = await findUnvouched(
    deps,
    policy,
    all.filter(({ pending }) => pending === ''),
  );
  const waiting = [...all.filter(({ pending }) => pending !== ''), ...unvouched];
  const unvouchedToo = needsVouchForAll(policy);
  const isVoucher = role !== null && mayVouch(policy, role);
  const others = isVoucher ? await deps.vouches.waiting(org.id, { unvouchedToo, most: MOST_WAITING }) : [];
  const { mode, domains, vouchers, vouchExistingBy = null } = policy.enrolment;
  return {
    mode,
    domains: mode === 'email' ? domains : [],
    vouchers,
    vouchExistingBy: unvouchedToo ? vouchExistingBy : null,
    active: counted.length + (app ? 1 : 0),
    own: waiting.map((one) => ({ ...toWaiting(one, { holder: accountOf(session), org }), keyId: one.keyId })),
    mayVouch: isVoucher && counted.length > 0,
    waiting: others
      .filter(({ holder }) => holder.id !== session.githubId)
      .map(({ credential, holder }) => toWaiting(credential, { holder, org })),
  };
}
