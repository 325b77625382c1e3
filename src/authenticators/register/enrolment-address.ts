import type { Organization } from '../../organizations/ports.ts';
import type { Person } from '../../people/ports.ts';
import { asciiDomain } from '../../people/send-email-code.ts';
import { AppError } from '../../shared/app-error.ts';
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
  if (domain === '' || !domains.map((one) => asciiDomain(one)).includes(domain))
    throw new AppError('otherDomain');
  const local = email.slice(0, at);
  const [mailbox = ''] = local.normalize('NFKC').toLowerCase().split('+');
  return { address: `${local}@${domain}`, folded: `${mailbox}@${domain}` };
}

/** @throws AppError `addressTaken` if somebody else enrolled with it there. */
export async function requireFreeAddress(
  addresses: EnrolmentAddresses,
  input: { person: Pick<Person, 'githubId'>; org: Pick<Organization, 'id'>; address: EnrolmentAddress },
): Promise<void> {
  const { person, org, address } = input;
  const holder = await addresses.holderOf(org.id, address.folded);
  if (holder !== null && holder !== person.githubId) throw new AppError('addressTaken');
}
