import type { EmailPrecheckAnswer } from '../../contract/email.ts';
import type { Organization } from '../../organizations/ports.ts';
import { storedMembership } from '../../organizations/require-role.ts';
import { asciiDomain, sendEmailCode } from '../../people/email-code.ts';
import type { Person, Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { takeSlot } from '../../shared/limits.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import type { EnrolmentAddress, EnrolmentAddresses } from '../ports.ts';

/**
 * The address at exactly one of the organization's domains. The domain is written as the organization wrote
 * it, in ASCII, so that no other script's letters send the code elsewhere; `folded` also drops the case and
 * what follows a plus sign.
 *
 * @throws AppError `otherDomain`.
 */
export function canonicalAddress(email: string, domains: string[]): EnrolmentAddress {
  const at = email.lastIndexOf('@');
  const domain = asciiDomain(email.slice(at + 1));
  if (domain === '' || !domains.map(asciiDomain).includes(domain)) throw new AppError('otherDomain');
  const local = email.slice(0, at);
  const [mailbox = ''] = local.normalize('NFKC').toLowerCase().split('+');
  return { address: `${local}@${domain}`, folded: `${mailbox}@${domain}` };
}

/** @throws AppError `addressTaken` if another person enrolled with it there. */
export async function requireFreeAddress(
  addresses: EnrolmentAddresses,
  { person, org, address }: { person: Person; org: Organization; address: EnrolmentAddress },
): Promise<void> {
  const holder = await addresses.holderOf(org.id, address.folded);
  if (holder !== null && holder !== person.githubId) throw new AppError('addressTaken');
}

/** A thief of a sign-in, who can't read the mailbox, has 50 guesses of a million a day. */
const RULE = { most: 10, ms: 24 * 60 * 60_000 };

/**
 * Sends the code that a first authenticator needs in the mode `email`, to an address of the organization.
 *
 * @throws AppError `notMember`, `noAddressNeeded`, `otherDomain`, `tooManyRequests` after ten in a day, and each
 *   refusal of `sendEmailCode`.
 */
export async function sendEnrolmentCode(
  deps: AuthenticatorDeps,
  input: { session: Session; email: string; orgID: number },
): Promise<EmailPrecheckAnswer> {
  const { session, email, orgID } = input;
  const known = await storedMembership(deps, session, orgID);
  if (!known) throw new AppError('notMember');
  const { enrolment } = (await deps.policies.inForce(orgID)).policy;
  if (enrolment.mode !== 'email') throw new AppError('noAddressNeeded');
  const { address } = canonicalAddress(email, enrolment.domains);
  await takeSlot(deps, `enrolment-code:${orgID}:${session.userId}`, RULE);
  return sendEmailCode(deps, { session, email: address, org: known.org });
}
