import { domainToASCII } from 'node:url';
import { emailAddress, LONGEST_ADDRESS } from '../contract/email.ts';
import { MailRefused } from '../notices/ports.ts';

/**
 * The address as a mail server gets it: its domain in ASCII, its local part unchanged.
 *
 * @throws MailRefused if the text isn't exactly one address, or is too long with its ASCII domain.
 */
export function deliverableAddress(text: string): string {
  const { data: address = '' } = emailAddress.safeParse(text);
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const deliverable = `${address.slice(0, at)}@${domain}`;
  if (domain === '' || Buffer.byteLength(deliverable) > LONGEST_ADDRESS) {
    throw new MailRefused("Mail can't be sent to this address.");
  }
  return deliverable;
}
