import type { ActivityData, ActivityKind, Part } from './activity.ts';
import { type AuthenticatorKind, authenticatorKinds } from './authenticator-kinds.ts';
import { policyChanges } from './policy-words.ts';
import { changeText, loggedChange } from './protection-words.ts';

/** An entry's text as one string. Patterns are between backquotes. */
export const plainText = (parts: Part[], timeText: (at: string) => string): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('code' in part) return `\`${part.code}\``;
      if ('time' in part) return timeText(part.time);
      return 'name' in part ? part.name : part.commit.slice(0, 8);
    })
    .join('');

/** Who did it: their login, or words if nobody has one. */
export const personText = ({ kind, login }: { kind: string; login: string }): string =>
  login || (kind === 'hookStop' ? 'OTP Guard' : 'Someone');

/** Says what a person did, to be read after their name. */
export function entryText({ kind, data }: { kind: string; data: ActivityData }): Part[] {
  if (isActivityKind(kind)) return TEXTS[kind](data);
  return ["did something that this page can't describe: ", { name: kind || 'unknown' }];
}

/** False for kinds that only a newer server knows. */
export const isActivityKind = (kind: string): kind is ActivityKind => Object.hasOwn(TEXTS, kind);

const TEXTS: Record<ActivityKind, (data: ActivityData) => Part[]> = {
  webauthnCollect: (data) => [
    'approved ',
    ...pull(data),
    ' with ',
    ...(labelled(data) ?? [withArticle(data)]),
  ],
  totpCollect: (data) => ['approved ', ...pull(data), ` with ${authenticatorKinds.totp.method}`],
  webauthnRegister: (data) => ['registered ', ...theAuthenticator(data)],
  totpRegister: () => ['registered ', ...theAuthenticator({ type: 'totp' })],
  authenticatorRename: (data) => [
    'renamed ',
    ...theAuthenticator({ ...data, label: data.formerLabel ?? '' }),
    ...(data.label ? [' to “', { name: data.label }, '”'] : []),
  ],
  authenticatorDelete: (data) => ['deleted ', ...theAuthenticator(data), ...lost(data)],
  memberAuthenticatorDelete: (data) => [
    'deleted ',
    ...holder(data),
    ...(labelled(data) ?? [noun(data)]),
    ...lost(data),
  ],
  approvalWithdraw: (data) => [
    'withdrew ',
    ...approver(data),
    'approval of ',
    ...pull(data),
    ...(data.lostSince ? [', made with an authenticator that was', ...lost(data, ' ')] : []),
  ],
  memberSessionsEnd: ({ user }) => ['signed ', user ? { name: user } : 'a member', ' out everywhere'],
  setOrgImage: () => ["set the organization's security image"],
  policyChange: (data) => {
    const changes = policyChanges(data);
    const separated = changes.flatMap((change, at) => [at === 0 ? ': ' : '; ', ...change]);
    return ['changed the policy', ...separated];
  },
  unapprovedMerge: (data) => [
    'merged ',
    ...pull(data),
    ' without an approval',
    ...(data.rules ?? []).flatMap((name, at) => [at === 0 ? ', around “' : ' and “', { name }, '”']),
  ],
  forgedRecord: ({ collection }) => [
    'wrote a forged record to the database, which OTP Guard ignores: ',
    { name: collection || 'unknown' },
  ],
  forgedCheck: (data) => ['gave ', ...pull(data), " a green check that OTP Guard didn't give"],
  webauthnPending: (data) => ['registered ', ...theAuthenticator(data), ', which waits to be confirmed'],
  vouch: (data) => [
    data.user === data.login ? 'confirmed ' : 'vouched for ',
    ...(data.user === data.login ? ['their '] : holder(data)),
    ...(labelled(data) ?? [noun(data)]),
  ],
  confirmOwner: (data) => ['was confirmed by the operator of OTP Guard with ', ...theAuthenticator(data)],
  restore: ({ backup }) => [
    'restored the records from a backup',
    ...(backup ? [' of ', { time: backup }] : []),
    '. What was logged since is no longer in the log',
  ],
  hookSet: (data) => ['set ', ...hook(data)],
  hookRemove: (data) => ['removed ', ...hook(data)],
  hookStop: (data) => ['stopped ', ...hook(data), ', which failed for a week'],
  protectionWeakened: (data) => ['weakened what protects the organization: ', ...changed(data)],
  protectionStrengthened: (data) => ['strengthened what protects the organization: ', ...changed(data)],
  protectionBaseline: () => ['sent who may bypass rulesets'],
  weakeningAcknowledged: (data) => [
    `acknowledged ${data.entry ? `log entry ${data.entry}` : 'a change'}${data.alone ? ' alone, as the only owner' : ''}: `,
    ...changed(data),
  ],
};

/** The change that made something weaker or stronger, and the state before it. */
const changed = (data: ActivityData): Part[] => {
  const change = loggedChange(data);
  if (!change) return ['a rule'];
  return [
    { name: changeText(change) },
    ...(change.before ? [' (before: ', { name: change.before }, ')'] : []),
  ];
};

const hook = ({ hook: kind, host }: ActivityData): Part[] => [
  `the ${kind === 'slack' ? 'Slack webhook' : 'outgoing webhook'}`,
  ...(host ? [' to ', { name: host }] : []),
];

function pull({ repo, pr, sha }: ActivityData): Part[] {
  const name = repo && pr ? `${repo} #${pr}` : 'a pull request';
  return sha ? [`${name} at `, { commit: sha }] : [name];
}

/** "their" if they withdrew their own. */
const approver = (data: ActivityData): Part[] =>
  data.user && data.user !== data.login ? holder(data) : ['their '];

/** Since when an authenticator was lost or stolen. */
const lost = ({ lostSince }: ActivityData, before = ', '): Part[] =>
  lostSince ? [`${before}lost or stolen since `, { time: lostSince }] : [];

const holder = ({ user }: ActivityData): Part[] => (user ? [{ name: user }, "'s "] : ["a member's "]);

const theAuthenticator = (data: ActivityData): Part[] => {
  const named = labelled(data);
  return named ? ['the ', ...named] : [withArticle(data)];
};

/** The authenticator with its label; null if it has none that its holder chose. */
function labelled(data: ActivityData): Part[] | null {
  if (!data.label || kindOf(data)?.hasOwnLabel === false) return null;
  return [`${noun(data)} “`, { name: data.label }, '”'];
}

const withArticle = (data: ActivityData) => `${/^[aeiou]/.test(noun(data)) ? 'an' : 'a'} ${noun(data)}`;

const noun = (data: ActivityData): string => kindOf(data)?.noun ?? 'authenticator';

const kindOf = ({ type }: ActivityData): AuthenticatorKind | undefined => type && authenticatorKinds[type];
