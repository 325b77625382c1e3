import type { NoticeData, NoticeKind } from './ports.ts';

type Words = { subject: string; text: string };

const KINDS: Record<string, string> = {
  totp: 'one-time code app',
  passkey: 'passkey',
  'security-key': 'security key',
};

/** A one-time code app has no name of its own: its label is the person's and the organization's. */
function authenticator({ type = '', label }: NoticeData): string {
  const kind = KINDS[type] ?? 'authenticator';
  return type === 'totp' || !label ? kind : `${kind} “${label}”`;
}

const NOT_YOU =
  'If that was not you, someone may be using your GitHub sign-in: sign out of GitHub everywhere, and tell an owner of the organization.';

/**
 * What a message says, by its kind. Subjects are constant: what people named
 * stands in the text alone.
 */
const WORDS: Record<NoticeKind, (data: NoticeData) => Words> = {
  authenticatorAdded: (data) => ({
    subject: 'An authenticator was added',
    text: `The ${authenticator(data)} was added to your account, ${data.login}, in ${data.org}.\n\n${NOT_YOU}`,
  }),
  authenticatorRemoved: (data) => ({
    subject: 'An authenticator was removed',
    text: `The ${authenticator(data)} was removed from your account, ${data.login}, in ${data.org}.\n\n${NOT_YOU}`,
  }),
  memberAuthenticatorRemoved: (data) => ({
    subject: 'An owner removed your authenticator',
    text: `${data.by}, an owner of ${data.org}, removed the ${authenticator(data)} from your account, ${data.login}.\n\nWithout another one you can register a new first authenticator the next time that you approve. If you did not ask for this, talk to ${data.by}.`,
  }),
  ownerRemovedAuthenticator: (data) => ({
    subject: 'You removed a member’s authenticator',
    text: `You removed the ${authenticator(data)} of ${data.login} in ${data.org}. ${data.login} is told as well.\n\n${NOT_YOU}`,
  }),
  firstAuthenticator: (data) => ({
    subject: 'A member registered a first authenticator',
    text: `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. It came in with a GitHub sign-in alone.\n\nIf ${data.login} does not know of it, remove it: as an owner you can do that on the organization’s authenticators page.`,
  }),
  unapprovedMerge: (data) => ({
    subject: 'A pull request was merged without an approval',
    text: `${data.label ?? 'A pull request'} in ${data.org} was merged${data.by ? ` by ${data.by}` : ''}, and nobody had approved its last commit at OTP Guard.\n\nIf the check is required there, somebody may bypass the rule: look at the rule and at GitHub’s audit log. If it is not required, require it.`,
  }),
  codesLocked: (data) => ({
    subject: 'Wrong one-time codes were entered',
    text: `Too many wrong one-time codes were entered for you, ${data.login}, in ${data.org}. Codes are locked for a while; a passkey or a security key works meanwhile.\n\n${NOT_YOU}`,
  }),
  addressConfirmed: (data) => ({
    subject: 'This address is confirmed',
    text: `OTP Guard tells you at this address from now on, ${data.login}, when something about your authenticators changes.`,
  }),
  addressReplaced: (data) => ({
    subject: 'Your e-mail address was changed',
    text: `${data.login} at OTP Guard has another e-mail address now. Nothing more comes to this one.\n\n${NOT_YOU}`,
  }),
};

export function noticeText(kind: NoticeKind, data: NoticeData): Words {
  return WORDS[kind](data);
}
