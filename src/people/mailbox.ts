import { domainToASCII } from 'node:url';

/** The ASCII form of a domain in any script; empty if it isn't one. */
export const asciiDomain = (domain: string): string => domainToASCII(domain);

/** The same text for every way to write one address. */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFKC').toLowerCase().split('@');
  return `${local}@${asciiDomain(domain)}`;
}
