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
    text: `The ${authenticator(data)} was added to your account, ${data.login}, in ${data.org}.${second(data)}\n\n${NOT_YOU}`,
  }),
  authenticatorRenamed: (data) => ({
    subject: 'An authenticator was renamed',
    text: `The ${authenticator({ ...data, label: data.formerLabel ?? '' })} of your account, ${data.login}, in ${data.org} was renamed${data.label ? ` to “${data.label}”` : ''}.\n\n${NOT_YOU}`,
  }),
  authenticatorRemoved: (data) => ({
    subject: 'An authenticator was removed',
    text: `The ${authenticator(data)} was removed from your account, ${data.login}, in ${data.org}.${withdrawn(data)}\n\n${NOT_YOU}`,
  }),
  memberAuthenticatorRemoved: (data) => ({
    subject: 'An owner removed your authenticator',
    text: `${data.by}, an owner of ${data.org}, removed the ${authenticator(data)} from your account, ${data.login}.${withdrawn(data)}\n\nIf you have no other authenticator there, you can register a new one the next time you approve a pull request. If you don’t know why it was removed, ask ${data.by}.`,
  }),
  ownerRemovedAuthenticator: (data) => ({
    subject: 'You removed a member’s authenticator',
    text: `You removed the ${authenticator(data)} of ${data.login} in ${data.org}.${withdrawn(data)}\n\n${NOT_YOU}`,
  }),
  authenticatorLost: (data) => ({
    withCheckpoint: true,
    subject: 'An authenticator was lost or stolen',
    text: `${data.by} removed the ${authenticator(data)} of ${data.login} in ${data.org}.${withdrawn(data)}${data.withdrawn === 0 ? '' : '\n\nReview what was merged with it since then.'}`,
  }),
  firstAuthenticator: (data) => ({
    withCheckpoint: true,
    subject: 'A member registered a first authenticator',
    text: `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. ${data.address ? `They confirmed the address ${data.address} for it.` : 'A GitHub sign-in is enough to register a first one.'}\n\nIf ${data.login} didn’t do this, remove it on the organization’s authenticators page.`,
  }),
  authenticatorPending: (data) => ({
    subject: 'An authenticator waits for a vouch',
    text: `The ${authenticator(data)} was registered for your account, ${data.login}, in ${data.org}. It doesn’t count until a member of the organization vouches for it. Compare the six digits on its page with that person, by a call or face to face.\n\n${NOT_YOU}`,
  }),
  devicePending: (data) => ({
    subject: 'An authenticator waits for you',
    text: `The ${authenticator(data)} was registered on another device for your account, ${data.login}, in ${data.org}. It doesn’t count until you confirm it on the device that made the link.\n\n${NOT_YOU}`,
  }),
  vouchWanted: (data) => ({
    withCheckpoint: true,
    subject: 'A member waits for a vouch',
    text: `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. It doesn’t count until somebody vouches for it.\n\nBefore you vouch, compare the six digits on its page with ${data.login}, by a call or face to face. A message may come from somebody else.`,
  }),
  vouchedFor: (data) => ({
    subject: 'Somebody vouched for your authenticator',
    text: `${data.by} vouched for the ${authenticator(data)} of your account, ${data.login}, in ${data.org}. It counts from now on.${second(data)}\n\n${NOT_YOU}`,
  }),
  youVouched: (data) => ({
    subject: 'You vouched for an authenticator',
    text: `You vouched for the ${authenticator(data)} of ${data.login} in ${data.org}. It counts from now on.\n\n${NOT_YOU}`,
  }),
  memberVouchedFor: (data) => ({
    withCheckpoint: true,
    subject: 'Somebody vouched for a member’s authenticator',
    text: `${data.by} vouched for the ${authenticator(data)} of ${data.login} in ${data.org}. It counts from now on.\n\nIf this is wrong, remove it on the organization’s authenticators page.`,
  }),
  ownerConfirmed: (data) => ({
    withCheckpoint: true,
    subject: 'The operator confirmed an owner’s authenticator',
    text: `The operator of OTP Guard confirmed the ${authenticator(data)} of ${data.login}, an owner of ${data.org}, with a command on the server. It counts from now on.\n\nIf you didn’t expect this, ask ${data.login} and the operator.`,
  }),
  registrationReminder: (data) => ({
    subject: 'Register an authenticator',
    text: `${data.by}, an owner of ${data.org}, reminds you, ${data.login}, to register a passkey or another authenticator there. Without one, you can’t approve its pull requests.\n\nTo register one, open ${data.origin ? `${data.origin}/` : 'OTP Guard'} and choose Register next to ${data.org}. It takes a minute.`,
  }),
  codesLocked: (data) => ({
    subject: 'Wrong one-time codes were entered',
    text: `Too many wrong one-time codes were entered for your account, ${data.login}, in ${data.org}. One-time codes are locked for a while. Passkeys and security keys still work.\n\n${NOT_YOU}`,
  }),
} satisfies Mails;
