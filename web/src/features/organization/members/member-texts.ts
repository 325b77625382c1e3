import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type {
  MemberReminderAnswer,
  OrganizationAnswer,
  OrganizationMember,
} from '../../../../../src/contract/organization.ts';
import { toIso } from '../../../lib/times.ts';
import { BYTE_ORDER_MARK, csvRow } from '../download/csv.ts';

/** The server sends a member one reminder in this time. */
const PAUSE_MS = 7 * 24 * 60 * 60_000;

/** The authenticators of a member, such as `2 passkeys, authenticator app`. */
export function authenticatorsText({ kinds, authenticators }: OrganizationMember): string {
  if (authenticators === 0) return 'None';
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
export const memberNotes = ({ authenticators, pending, enrolled }: OrganizationMember): string[] => [
  ...(authenticators === 1 ? ['Only one: losing it locks them out'] : []),
  ...(pending && enrolled ? ['One is pending'] : []),
];

/** Tells whether a reminder would be sent to a member, why not, or that one was sent. */
export function reminderState(
  { hasAddress, reminded }: Pick<OrganizationMember, 'hasAddress' | 'reminded'>,
  now: number,
): 'possible' | 'no-address' | 'sent' {
  if (reminded && now - Date.parse(toIso(reminded)) < PAUSE_MS) return 'sent';
  return hasAddress ? 'possible' : 'no-address';
}

/** Tells whether a reminder would be sent to a member without an authenticator. */
export const mayBeReminded = (
  member: Pick<OrganizationMember, 'pending' | 'hasAddress' | 'reminded'>,
  now: number,
): boolean => !member.pending && reminderState(member, now) === 'possible';

/** Says whom a reminder to everyone without an authenticator reaches, before an owner sends it. */
export function reachText({
  reachable,
  unreachable,
  sendsMail,
}: Pick<NonNullable<OrganizationAnswer['members']>, 'reachable' | 'unreachable' | 'sendsMail'>): string {
  const all = reachable + unreachable;
  const first = all === 1 ? '1 member has no authenticator' : `${all} members have no authenticator`;
  if (!sendsMail) return `${first}. This server sends no e-mail, so copy a message for them.`;
  if (unreachable === 0) return `${first}, and we can send ${all === 1 ? 'them an' : 'each an'} e-mail.`;
  if (reachable === 0) return `${first}, and no confirmed e-mail address. Copy a message for them.`;
  return `${first}. ${reachable} of them ${reachable === 1 ? 'has' : 'have'} a confirmed e-mail address. Copy a message for the other ${unreachable === 1 ? 'one' : unreachable}.`;
}

/** Says why an organization has no list of members yet. */
export const READING = 'OTP Guard is reading the members from GitHub. This takes a minute or two.';

/** A message for members, to send in a chat, with the page that registers an authenticator. */
export const messageToMembers = (organization: string, url: string) =>
  `Please register an authenticator for ${organization}, such as a passkey. You need one to approve its pull requests, and it takes a minute: ${url}`;

/** The members with these logins as a file for a spreadsheet. */
export const membersAsCsv = (logins: string[], github: string): string[] => [
  BYTE_ORDER_MARK,
  csvRow(['Login', 'Profile']),
  ...logins.map((login) => csvRow([login, `${github}/${encodeURIComponent(login)}`])),
];

/** The outcome of a reminder to everyone without an authenticator. */
export function remindedText({ sent, withoutAddress, already }: MemberReminderAnswer): string {
  const parts = [
    sent === 0 ? 'We sent no e-mail.' : `We're sending ${sent === 1 ? '1 e-mail' : `${sent} e-mails`}.`,
    withoutAddress > 0 &&
      `${withoutAddress} ${withoutAddress === 1 ? 'member has' : 'members have'} no confirmed address. Copy a message for them.`,
    already > 0 && `${already} got one in the last seven days.`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** The outcome of a reminder to one member. */
export function remindedOneText({ sent, already }: MemberReminderAnswer): string {
  if (sent > 0) return "We're sending an e-mail.";
  return already > 0 ? 'Got one in the last seven days.' : 'No confirmed e-mail address.';
}
