import type { EmailPrecheckAnswer } from '../../contract/email.ts';
import type { Memberships } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { type SendEmailCodeDeps, sendEmailCode } from '../../people/send-email-code.ts';
import type { Policies } from '../../policies/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { takeSlot } from '../../shared/quota.ts';
import { canonicalAddress } from './enrolment-address.ts';

/** So a thief of a sign-in, who can't read the mailbox, has 50 guesses of a million a day. */
const RULE = { most: 10, ms: 24 * 60 * 60_000 };

/**
 * Sends the code that a first authenticator needs in the mode `email`, to an address of the organization.
 *
 * @throws AppError `notMember`, `noAddressNeeded`, `otherDomain`, `tooManyRequests` after ten in a day, and each
 *   refusal of `sendEmailCode`.
 */
export async function sendEnrolmentCode(
  deps: SendEmailCodeDeps & { memberships: Memberships; policies: Pick<Policies, 'inForce'> },
  input: { session: Session; email: string; orgID: number },
): Promise<EmailPrecheckAnswer> {
  const { session, email, orgID } = input;
  const known = (await deps.memberships.of(session.userId)).find(({ org }) => org.orgId === orgID);
  if (!known) throw new AppError('notMember');
  const { enrolment } = (await deps.policies.inForce(orgID)).policy;
  if (enrolment.mode !== 'email') throw new AppError('noAddressNeeded');
  const { address } = canonicalAddress(email, enrolment.domains);
  await takeSlot(deps, `enrolment-code:${orgID}:${session.userId}`, RULE);
  return sendEmailCode(deps, { session, email: address, org: known.org });
}
