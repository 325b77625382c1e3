import type { EnrolmentLink } from '../contract/receipts.ts';
import { claimed, type Finding, proved } from './findings.ts';
import { nameOf } from './receipt-context.ts';

/** A link of the chain, and whether it's proved that the next link's key let it in. */
export type VerifiedLink = { link: EnrolmentLink; isProved: boolean };

/** Who vouched for this person, in one sentence, as far as it's proved; nothing if nobody did. */
export function vouchSentence(person: { id: number; login: string }, links: VerifiedLink[]): Finding[] {
  const end = links.findIndex(({ isProved }) => !isProved);
  const vouchers = links.slice(0, end < 0 ? links.length : end).flatMap(({ link }) => voucherOf(link));
  if (vouchers.length === 0) return [];
  const chain = vouchers.map(nameOf).join(', whose key was vouched for by ');
  return [
    proved('enrolment', `${nameOf(person)} was vouched for by ${chain}.`),
    claimed('enrolment', 'That people were allowed to vouch when they did, only the server says.'),
  ];
}

/** A person who confirms their own second device vouches for nobody. */
function voucherOf({ vouch, holder }: EnrolmentLink) {
  return vouch && vouch.statement.user.id !== holder.id ? [vouch.statement.user] : [];
}
