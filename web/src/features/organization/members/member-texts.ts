import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type { MemberReminderAnswer, OrganizationMember } from '../../../../../src/contract/organization.ts';
import { toIso } from '../../../lib/times.ts';

/** The server sends a member one reminder in this time. */
const PAUSE_MS = 7 * 24 * 60 * 60_000;

/** The authenticators of a member, such as `2 passkeys, authenticator app`. */
export function authenticatorsText({ kinds, authenticators }: OrganizationMember): string {
  if (authenticators === 0) return 'No authenticator';
  const parts = [
    counted(kinds.passkey, authenticatorKinds.passkey.noun),
    counted(kinds.securityKey, authenticatorKinds['security-key'].noun),
    counted(kinds.totp, authenticatorKinds.totp.noun),
  ];
  const text = parts.filter(Boolean).join(', ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const counted = (count: number, noun: string) => (count > 1 ? `${count} ${noun}s` : count === 1 ? noun : '');

/** Warnings for an owner about a member's authenticators. */
export const memberNotes = ({ authenticators, pending }: OrganizationMember): string[] => [
  ...(authenticators === 1 ? ['Only one: losing it locks them out'] : []),
  ...(pending ? ['One waits for confirmation'] : []),
];

/** Whether a reminder would be sent to a member, why not, or that one was sent. */
export function reminderState(
  { hasAddress, reminded }: Pick<OrganizationMember, 'hasAddress' | 'reminded'>,
  now: number,
): 'possible' | 'no-address' | 'sent' {
  if (reminded && now - Date.parse(toIso(reminded)) < PAUSE_MS) return 'sent';
  return hasAddress ? 'possible' : 'no-address';
}

/** The outcome of a reminder to everyone without an authenticator. */
export function remindedText({ sent, withoutAddress, already }: MemberReminderAnswer): string {
  const parts = [
    sent === 0 ? 'We sent no e-mail.' : `We're sending ${sent === 1 ? '1 e-mail' : `${sent} e-mails`}.`,
    withoutAddress > 0 &&
      `${withoutAddress} ${withoutAddress === 1 ? 'has' : 'have'} no confirmed address: tell them yourself.`,
    already > 0 && `${already} got one in the last seven days.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** The outcome of a reminder to one member. */
export function remindedOneText({ sent, already }: MemberReminderAnswer): string {
  if (sent > 0) return "We're sending an e-mail.";
  return already > 0 ? 'Got one in the last seven days.' : 'No confirmed e-mail address.';
}
