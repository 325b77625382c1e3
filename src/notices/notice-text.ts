import type { ActivityData } from '../contract/activity.ts';
import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { AskedBy } from '../contract/inbox.ts';

/** A pull request that waits for the recipient. */
export type NoticedPull = {
  /** `acme/shop#7` */
  name: string;
  /** The title as GitHub has it: a stranger chose it. */
  title: string;
  asked: AskedBy;
  /** The page that approves it. */
  url: string;
};

/** The names in a notice that the log entry about the same event has, too. */
type LoggedName =
  | ('org' | 'login' | 'type' | 'label' | 'formerLabel' | 'lostSince')
  | ('backup' | 'hook' | 'host' | 'rules');

/** Names at the time of the event; which ones are set depends on the kind. */
export type NoticeData = Pick<ActivityData, LoggedName> & {
  /** The login of the person who did it. */
  by?: string;
  /** How many approvals made with the authenticator since it was lost there were to withdraw, before that began. */
  withdrawn?: number;
  /** The company address that a person enrolled with. */
  address?: string;
  /** It's the person's only authenticator there, so they're reminded to register a second. */
  isOnly?: boolean;
  /** The organization's log with the entry about this: a C2SP checkpoint. */
  checkpoint?: string;
  /** The pull requests that wait, and how many more do. */
  pulls?: NoticedPull[];
  more?: number;
  /** One sentence for each change of what protects the organization. */
  changes?: string[];
  /** OTP Guard's own address. */
  origin?: string;
};

/** The subject of a notice. */
export type NoticeKind = keyof typeof TEXTS;

type NoticeText = { subject: string; text: string };

/** The subject and text of a notice. */
export function noticeText(kind: NoticeKind, data: NoticeData): NoticeText {
  const { subject, text } = TEXTS[kind](data);
  return { subject, text: text + (WITH_CHECKPOINT.includes(kind) ? checkpoint(data) : '') };
}

/** Notices to owners about whom OTP Guard trusts: with the checkpoint, they can tell later if the log was changed. */
const WITH_CHECKPOINT: NoticeKind[] = [
  'authenticatorLost',
  'memberSessionsEnded',
  'firstAuthenticator',
  'vouchWanted',
  'memberVouchedFor',
  'ownerConfirmed',
  'unapprovedMerge',
  'forgedRecord',
  'forgedCheck',
  'policyChanged',
  'restore',
  'protectionWeakened',
];

/** The note as it is, at the end and without an indent: a copy of it is a file for `otp-guard audit`. */
const checkpoint = ({ checkpoint, org }: NoticeData): string =>
  checkpoint
    ? `\n\nKeep this signed checkpoint of ${org}’s log. “otp-guard audit” compares the log with it:\n\n${checkpoint.trimEnd()}`
    : '';

/** "2026-05-04 12:00 UTC" */
export const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

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

/** "webhook to hooks.example.com" */
const hook = ({ hook, host }: NoticeData): string =>
  `${hook === 'slack' ? 'Slack webhook' : 'webhook'}${host ? ` to ${host}` : ''}`;

/** The rules that a merge went around, as far as GitHub says. */
const around = ({ rules = [] }: NoticeData): string =>
  rules.length > 0 ? ` It went around ${rules.map((rule) => `“${plainTitle(rule)}”`).join(' and ')}.` : '';

const NOT_YOU =
  'If this wasn’t you, someone may be using your GitHub account: end its other sessions in GitHub’s settings, and contact an owner of the organization.';

const WHY = {
  named: 'A rule of the organization names you or your team.',
  review: 'Somebody requested your review on GitHub.',
  earlier: 'You approved an earlier commit of it.',
  last: 'Nobody else is left to approve it.',
} as const satisfies Record<NoticedPull['asked'], string>;

/** A paragraph for each pull request, then how many more wait, and the page to change the choice. */
function pullsText({ login, pulls = [], more = 0, origin }: NoticeData): NoticeText {
  const isOne = pulls.length === 1;
  const subject = isOne ? 'A pull request waits for you' : 'Pull requests wait for you';
  const wait = isOne ? 'a pull request waits' : `${pulls.length} pull requests wait`;
  const first = `${login}, ${wait} for your approval. Look at the changes first, and approve only what you expect.`;
  const each = pulls.map(
    ({ name, title, asked, url }) => `${name}: “${plainTitle(title)}”\n${WHY[asked]}\n${url}`,
  );
  const others = more === 1 ? '1 more pull request waits' : `${more} more pull requests wait`;
  const rest = more > 0 ? [`${others} for you: ${origin}/`] : [];
  const why = `You chose to get this e-mail. To change that: ${origin}/email`;
  return { subject, text: [first, ...each, ...rest, why].join('\n\n') };
}

/** Subjects are constant: names that people chose appear only in the text. */
const TEXTS = {
  authenticatorAdded: (data: NoticeData) => ({
    subject: 'An authenticator was added',
    text: `The ${authenticator(data)} was added to your account, ${data.login}, in ${data.org}.${second(data)}\n\n${NOT_YOU}`,
  }),
  authenticatorRenamed: (data: NoticeData) => ({
    subject: 'An authenticator was renamed',
    text: `The ${authenticator({ ...data, label: data.formerLabel ?? '' })} of your account, ${data.login}, in ${data.org} was renamed${data.label ? ` to “${data.label}”` : ''}.\n\n${NOT_YOU}`,
  }),
  authenticatorRemoved: (data: NoticeData) => ({
    subject: 'An authenticator was removed',
    text: `The ${authenticator(data)} was removed from your account, ${data.login}, in ${data.org}.${withdrawn(data)}\n\n${NOT_YOU}`,
  }),
  memberAuthenticatorRemoved: (data: NoticeData) => ({
    subject: 'An owner removed your authenticator',
    text: `${data.by}, an owner of ${data.org}, removed the ${authenticator(data)} from your account, ${data.login}.${withdrawn(data)}\n\nIf you have no other authenticator there, you can register a new one the next time you approve a pull request. If you don’t know why it was removed, ask ${data.by}.`,
  }),
  ownerRemovedAuthenticator: (data: NoticeData) => ({
    subject: 'You removed a member’s authenticator',
    text: `You removed the ${authenticator(data)} of ${data.login} in ${data.org}.${withdrawn(data)}\n\n${NOT_YOU}`,
  }),
  authenticatorLost: (data: NoticeData) => ({
    subject: 'An authenticator was lost or stolen',
    text: `${data.by} removed the ${authenticator(data)} of ${data.login} in ${data.org}.${withdrawn(data)}${data.withdrawn === 0 ? '' : '\n\nReview what was merged with it since then.'}`,
  }),
  approvalWithdrawn: (data: NoticeData) => ({
    subject: 'Your approval was withdrawn',
    text: `You, ${data.login}, withdrew your approval of ${data.label ?? 'a commit'} in ${data.org}. Unless someone else approved it too, the check waits for an approval again.\n\n${NOT_YOU}`,
  }),
  sessionsEnded: (data: NoticeData) => ({
    subject: 'An owner signed you out',
    text: `${data.by}, an owner of ${data.org}, signed you, ${data.login}, out of OTP Guard on every device.\n\nYour GitHub session stays open, and with it anyone can sign in again. If you didn’t ask for this, review your sessions in GitHub’s settings, and ask ${data.by} why.`,
  }),
  memberSessionsEnded: (data: NoticeData) => ({
    subject: 'An owner signed a member out',
    text: `${data.by}, an owner of ${data.org}, signed ${data.login} out of OTP Guard on every device. The GitHub session of ${data.login} stays open.`,
  }),
  firstAuthenticator: (data: NoticeData) => ({
    subject: 'A member registered a first authenticator',
    text: `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. ${data.address ? `They confirmed the address ${data.address} for it.` : 'A GitHub sign-in is enough to register a first one.'}\n\nIf ${data.login} didn’t do this, remove it on the organization’s authenticators page.`,
  }),
  authenticatorPending: (data: NoticeData) => ({
    subject: 'An authenticator waits for a vouch',
    text: `The ${authenticator(data)} was registered for your account, ${data.login}, in ${data.org}. It doesn’t count until a member of the organization vouches for it. Compare the six digits on its page with that person, by a call or face to face.\n\n${NOT_YOU}`,
  }),
  devicePending: (data: NoticeData) => ({
    subject: 'An authenticator waits for you',
    text: `The ${authenticator(data)} was registered on another device for your account, ${data.login}, in ${data.org}. It doesn’t count until you confirm it on the device that made the link.\n\n${NOT_YOU}`,
  }),
  vouchWanted: (data: NoticeData) => ({
    subject: 'A member waits for a vouch',
    text: `${data.login} registered a first authenticator in ${data.org}: the ${authenticator(data)}. It doesn’t count until somebody vouches for it.\n\nBefore you vouch, compare the six digits on its page with ${data.login}, by a call or face to face. A message may come from somebody else.`,
  }),
  vouchedFor: (data: NoticeData) => ({
    subject: 'Somebody vouched for your authenticator',
    text: `${data.by} vouched for the ${authenticator(data)} of your account, ${data.login}, in ${data.org}. It counts from now on.${second(data)}\n\n${NOT_YOU}`,
  }),
  youVouched: (data: NoticeData) => ({
    subject: 'You vouched for an authenticator',
    text: `You vouched for the ${authenticator(data)} of ${data.login} in ${data.org}. It counts from now on.\n\n${NOT_YOU}`,
  }),
  memberVouchedFor: (data: NoticeData) => ({
    subject: 'Somebody vouched for a member’s authenticator',
    text: `${data.by} vouched for the ${authenticator(data)} of ${data.login} in ${data.org}. It counts from now on.\n\nIf this is wrong, remove it on the organization’s authenticators page.`,
  }),
  ownerConfirmed: (data: NoticeData) => ({
    subject: 'The operator confirmed an owner’s authenticator',
    text: `The operator of OTP Guard confirmed the ${authenticator(data)} of ${data.login}, an owner of ${data.org}, with a command on the server. It counts from now on.\n\nIf you didn’t expect this, ask ${data.login} and the operator.`,
  }),
  unapprovedMerge: (data: NoticeData) => ({
    subject: 'A pull request was merged without an approval',
    text: `${data.label ?? 'A pull request'} in ${data.org} was merged${data.by ? ` by ${data.by}` : ''}, but nobody had approved its last commit in OTP Guard.${around(data)}\n\nIf the check is required for that branch, somebody may have bypassed the rule: review the rule and GitHub’s audit log. If it isn’t required, require it.`,
  }),
  forgedRecord: (data: NoticeData) => ({
    subject: 'A forged record was found',
    text: `OTP Guard found a record about ${data.org} in its database that it didn’t write. It ignored the record, so no check passed because of it.\n\nSomebody may have access to the database: tell the people who run OTP Guard. The organization’s activity log names the kind of record.`,
  }),
  forgedCheck: (data: NoticeData) => ({
    subject: 'A green check that OTP Guard did not give',
    text: `GitHub showed a green check on ${data.label ?? 'a pull request'} in ${data.org}, but OTP Guard didn’t give it. The check waits for an approval again.\n\nSomebody may have the App’s private key or a token of it. Ask the operator of OTP Guard to replace the App’s private key on GitHub now, and review what was merged in the last days.`,
  }),
  registrationReminder: (data: NoticeData) => ({
    subject: 'Register an authenticator',
    text: `${data.by}, an owner of ${data.org}, reminds you, ${data.login}, to register a passkey or another authenticator there. Without one, you can’t approve its pull requests.\n\nTo register one, open ${data.origin ? `${data.origin}/` : 'OTP Guard'} and choose Register next to ${data.org}. It takes a minute.`,
  }),
  policyChanged: (data: NoticeData) => ({
    subject: 'The policy was changed',
    text: `${data.by}, an owner of ${data.org}, changed who has to approve pull requests there, or with what. The organization’s policy page shows the policy, and its log what changed.\n\nIf no owner meant to do this, somebody may be using the GitHub account and an authenticator of ${data.by}: set the former policy again, and sign ${data.by} out on the organization’s page Members.`,
  }),
  restore: (data: NoticeData) => ({
    subject: 'The records were restored from a backup',
    text: `The records of ${data.org} in OTP Guard were restored from a backup${data.backup ? ` of ${minuteOf(data.backup)}` : ''}. What was logged since is no longer in the log.\n\nGitHub’s check runs still show how long the log was. Compare the log with them: otp-guard audit. If you don’t know why the records were restored, ask the people who run OTP Guard.`,
  }),
  hookSet: (data: NoticeData) => ({
    subject: 'An outgoing webhook was set',
    text: `${data.by}, an owner of ${data.org}, set its ${hook(data)}. From now on OTP Guard sends each entry of the organization’s log there, and each pull request that waits for an approval.\n\nIf no owner meant to do this, remove it on the organization’s page Webhooks, and sign ${data.by} out on its page Members.`,
  }),
  hookRemoved: (data: NoticeData) => ({
    subject: 'An outgoing webhook was removed',
    text: `${data.by}, an owner of ${data.org}, removed its ${hook(data)}. Nothing more is sent there.\n\nIf no owner meant to do this, set it again on the organization’s page Webhooks, and sign ${data.by} out on its page Members.`,
  }),
  hookStopped: (data: NoticeData) => ({
    subject: 'An outgoing webhook was stopped',
    text: `The ${hook(data)} of ${data.org} failed for a week, so OTP Guard stopped it. What happens from now on isn’t sent there.\n\nAn owner can set it again on the organization’s page Webhooks.`,
  }),
  protectionWeakened: ({ org, changes = [], more = 0 }: NoticeData) => {
    const each = changes.map((change) => plainTitle(change, LONGEST_CHANGE));
    const others = more > 0 ? [`The organization’s log has ${more} more.`] : [];
    return {
      subject: 'What protects your organization became weaker',
      text: [
        `What protects ${org} became weaker.`,
        ...each,
        ...others,
        'Each stays red on the organization’s page until another owner than the one who did it acknowledges it. If no owner meant to do this, take it back on GitHub, and end the GitHub sessions of the person who did it.',
      ].join('\n\n'),
    };
  },
  codesLocked: (data: NoticeData) => ({
    subject: 'Wrong one-time codes were entered',
    text: `Too many wrong one-time codes were entered for your account, ${data.login}, in ${data.org}. One-time codes are locked for a while. Passkeys and security keys still work.\n\n${NOT_YOU}`,
  }),
  addressConfirmed: (data: NoticeData) => ({
    subject: 'This address is confirmed',
    text: `From now on, ${data.login}, OTP Guard sends an e-mail to this address when your authenticators change.`,
  }),
  addressReplaced: (data: NoticeData) => ({
    subject: 'Your e-mail address was changed',
    text: `${data.login} now has another e-mail address in OTP Guard. This one gets no more e-mail.\n\n${NOT_YOU}`,
  }),
  pullsWait: pullsText,
  pullsDigest: pullsText,
} as const satisfies Record<string, (data: NoticeData) => NoticeText>;

const LONGEST = 120;
const LONGEST_CHANGE = 400;
const BREAK = '\u200b';

/**
 * A title that a stranger chose, fit for an e-mail: one line without control
 * characters and without marks that turn the direction of text. What mail
 * programs would link gets an invisible break, and so does our own address.
 */
function plainTitle(title: string, longest = LONGEST): string {
  const line = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    // Other invisible signs than those two are in no language's words.
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, '')
    .trim();
  const letters = Array.from(line);
  const cut = letters.length > longest ? `${letters.slice(0, longest).join('')}…` : line;
  return cut.replace(/[:@.\u3002\uff0e\uff61](?=\S)/gu, (sign) => sign + BREAK);
}
