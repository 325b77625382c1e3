import { authenticatorKinds } from '../authenticator-kinds.ts';
import type { NoticeData } from '../notices.ts';
import { inParts } from '../parts.ts';
import {
  holder,
  type LogWords,
  labelled,
  lost,
  type Mails,
  minuteOf,
  NOT_YOU,
  noun,
  theAuthenticator,
} from './words.ts';

const UNKNOWN_KIND = { noun: 'authenticator', hasOwnLabel: true };

/** "security key “Blue”". A stored notice can name a kind that this version doesn't know. */
function authenticator({ type, label }: NoticeData): string {
  const { noun, hasOwnLabel } = (type && authenticatorKinds[type]) || UNKNOWN_KIND;
  return hasOwnLabel && label ? `${noun} “${label}”` : noun;
}

/** Says which approvals a removal withdraws if the authenticator was lost or stolen. */
function withdrawn({ lostSince, withdrawn }: NoticeData): string {
  if (!lostSince) return '';
  const reported = `It was reported as lost or stolen since ${minuteOf(lostSince)}`;
  if (withdrawn === 0)
    return ` ${reported}. No approval was made with it since then, so there is none to take back.`;
  const approvals = withdrawn === 1 ? 'the one approval' : `the ${withdrawn} approvals`;
  return ` ${reported}, so OTP Guard takes back ${approvals} made with it since then. The log has an entry for each, and an owner’s setup health says so while any is left.`;
}

/** Reminds of a second authenticator. */
function second({ isOnly }: NoticeData): string {
  return isOnly
    ? ' It’s your only one there: register a second one and keep it somewhere else, in case you lose this one.'
    : '';
}

/** The log's lines about people's authenticators. */
export const authenticatorsLog = {
  webauthnRegister: {
    name: 'Registered a passkey or security key',
    text: (data) => inParts`registered ${theAuthenticator(data)}`,
  },
  totpRegister: {
    name: 'Registered an authenticator app',
    text: () => inParts`registered ${theAuthenticator({ type: 'totp' })}`,
  },
  webauthnPending: {
    name: 'Registered an authenticator that waits to be confirmed',
    text: (data) => inParts`registered ${theAuthenticator(data)}, which waits to be confirmed`,
  },
  vouch: {
    name: 'Vouched for an authenticator',
    text: (data) => {
      const what = labelled(data) ?? noun(data);
      if (data.user === data.login) return inParts`confirmed their ${what}`;
      return inParts`vouched for ${holder(data)}${what}`;
    },
  },
  confirmOwner: {
    name: 'An owner was confirmed by the operator',
    text: (data) => inParts`was confirmed by the operator of OTP Guard with ${theAuthenticator(data)}`,
  },
  authenticatorRename: {
    name: 'Renamed an authenticator',
    text: (data) => {
      const to = data.label ? inParts` to “${{ name: data.label }}”` : [];
      return inParts`renamed ${theAuthenticator({ ...data, label: data.formerLabel ?? '' })}${to}`;
    },
  },
  authenticatorDelete: {
    name: 'Deleted an authenticator',
    text: (data) => inParts`deleted ${theAuthenticator(data)}${lost(data)}`,
  },
  memberAuthenticatorDelete: {
    name: "Deleted a member's authenticator",
    text: (data) => inParts`deleted ${holder(data)}${labelled(data) ?? noun(data)}${lost(data)}`,
  },
} satisfies LogWords;

/** The e-mails about people's authenticators. */
export const authenticatorsMails = {
  authenticatorAdded: (data) => ({
    subject: 'An authenticator was added',
    parts: [
      `The ${authenticator(data)} was added to your account, ${data.login}, in ${data.org}.${second(data)}`,
      NOT_YOU,
    ],
  }),
  authenticatorRenamed: (data) => ({
    subject: 'An authenticator was renamed',
    parts: [
      `The ${authenticator({ ...data, label: data.formerLabel ?? '' })} of your account, ${data.login}, in ${data.org} was renamed${data.label ? ` to “${data.label}”` : ''}.`,
      NOT_YOU,
    ],
  }),
  authenticatorRemoved: (data) => ({
    subject: 'An authenticator was removed',
    parts: [
      `The ${authenticator(data)} was removed from your account, ${data.login}, in ${data.org}.${withdrawn(data)}`,
      NOT_YOU,
    ],
  }),
  memberAuthenticatorRemoved: (data) => ({
    subject: `${data.by} removed your authenticator`,
    parts: [
      `${data.by}, an owner of ${data.org}, removed the ${authenticator(data)} from your account, ${data.login}.${withdrawn(data)}`,
      `If you have no other authenticator there, you can register a new one the next time you approve a pull request. If you don’t know why it was removed, ask ${data.by}.`,
    ],
  }),
  ownerRemovedAuthenticator: (data) => ({
    subject: `You removed an authenticator of ${data.login}`,
    parts: [
      `You removed the ${authenticator(data)} of ${data.login} in ${data.org}.${withdrawn(data)}`,
      NOT_YOU,
    ],
  }),
  authenticatorLost: (data) => ({
    withCheckpoint: true,
    subject: `An authenticator of ${data.login} was lost or stolen`,
    parts: [
      `${data.by} removed the ${authenticator(data)} of ${data.login} in ${data.org}.${withdrawn(data)}`,
      ...(data.withdrawn === 0 ? [] : ['Review what was merged with it since then.']),
    ],
  }),
  firstAuthenticator: (data) => ({
    withCheckpoint: true,
    subject: `${data.login} registered a first authenticator in ${data.org}`,
    parts: [
      `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. ${data.address ? `They confirmed the address ${data.address} for it.` : 'A GitHub sign-in is enough to register a first one.'}`,
      `If ${data.login} didn’t do this, remove it on the organization’s authenticators page.`,
    ],
  }),
  authenticatorPending: (data) => ({
    subject: `Your ${noun(data)} needs a vouch`,
    parts: [
      `The ${authenticator(data)} was registered for your account, ${data.login}, in ${data.org}. It doesn’t count until a member of the organization vouches for it. Compare the six digits on its page with that person, by a call or face to face.`,
      NOT_YOU,
    ],
  }),
  devicePending: (data) => ({
    subject: `Your ${noun(data)} waits for you to confirm it`,
    parts: [
      `The ${authenticator(data)} was registered on another device for your account, ${data.login}, in ${data.org}. It doesn’t count until you confirm it on the device that made the link.`,
      NOT_YOU,
    ],
  }),
  vouchWanted: (data) => ({
    withCheckpoint: true,
    subject: `${data.login} needs a vouch in ${data.org}`,
    parts: [
      `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. It doesn’t count until another person vouches for it.`,
      `Before you vouch, compare the six digits on its page with ${data.login}, by a call or face to face. A message may not be from ${data.login}.`,
    ],
  }),
  vouchedFor: (data) => ({
    subject: `${data.by} vouched for your ${noun(data)}`,
    parts: [
      `${data.by} vouched for the ${authenticator(data)} of your account, ${data.login}, in ${data.org}. You can approve with it now.${second(data)}`,
      NOT_YOU,
    ],
  }),
  youVouched: (data) => ({
    subject: `You vouched for ${data.login}`,
    parts: [
      `You vouched for the ${authenticator(data)} of ${data.login} in ${data.org}. ${data.login} can approve with it now.`,
      NOT_YOU,
    ],
  }),
  memberVouchedFor: (data) => ({
    withCheckpoint: true,
    subject: `${data.by} vouched for ${data.login} in ${data.org}`,
    parts: [
      `${data.by} vouched for the ${authenticator(data)} of ${data.login} in ${data.org}. ${data.login} can approve with it now.`,
      'If this is wrong, remove it on the organization’s authenticators page.',
    ],
  }),
  ownerConfirmed: (data) => ({
    withCheckpoint: true,
    subject: `The operator confirmed an authenticator of ${data.login}`,
    parts: [
      `The operator of OTP Guard confirmed the ${authenticator(data)} of ${data.login}, an owner of ${data.org}, with a command on the server. ${data.login} can approve with it now.`,
      `If you didn’t expect this, ask ${data.login} and the operator.`,
    ],
  }),
  registrationReminder: (data) => ({
    subject: 'Register an authenticator',
    parts: [
      `${data.by}, an owner of ${data.org}, reminds you, ${data.login}, to register a passkey or another authenticator there. Without one, you can’t approve its pull requests.`,
      `To register one, open OTP Guard and choose Register next to ${data.org}. It takes a minute.`,
      ...(data.origin ? [{ role: 'button', text: 'Open OTP Guard', url: `${data.origin}/` } as const] : []),
    ],
  }),
  codesLocked: (data) => ({
    subject: 'Wrong one-time codes were entered',
    parts: [
      `Too many wrong one-time codes were entered for your account, ${data.login}, in ${data.org}. One-time codes are locked for a while. Passkeys and security keys still work.`,
      NOT_YOU,
    ],
  }),
} satisfies Mails;
