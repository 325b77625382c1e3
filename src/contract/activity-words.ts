import { type ActivityData, type ActivityKind, inParts, type Part } from './activity.ts';
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

/** Names the person of an entry by their login, or in words if it has none. */
export const personText = ({ kind, login }: { kind: string; login: string }): string =>
  login || (kind === 'hookStop' ? 'OTP Guard' : 'Someone');

/** Says what a person did, to be read after their name. */
export function entryText({ kind, data }: { kind: string; data: ActivityData }): Part[] {
  if (isActivityKind(kind)) return TEXTS[kind](data);
  return inParts`did something that this page can't describe: ${{ name: kind || 'unknown' }}`;
}

/** False for kinds that only a newer server knows. */
export const isActivityKind = (kind: string): kind is ActivityKind => Object.hasOwn(TEXTS, kind);

const TEXTS: Record<ActivityKind, (data: ActivityData) => Part[]> = {
  webauthnCollect: (data) => inParts`approved ${pull(data)} with ${labelled(data) ?? withArticle(data)}`,
  totpCollect: (data) => inParts`approved ${pull(data)} with ${authenticatorKinds.totp.method}`,
  webauthnRegister: (data) => inParts`registered ${theAuthenticator(data)}`,
  totpRegister: () => inParts`registered ${theAuthenticator({ type: 'totp' })}`,
  authenticatorRename: (data) => {
    const to = data.label ? inParts` to “${{ name: data.label }}”` : [];
    return inParts`renamed ${theAuthenticator({ ...data, label: data.formerLabel ?? '' })}${to}`;
  },
  authenticatorDelete: (data) => inParts`deleted ${theAuthenticator(data)}${lost(data)}`,
  memberAuthenticatorDelete: (data) =>
    inParts`deleted ${holder(data)}${labelled(data) ?? noun(data)}${lost(data)}`,
  approvalWithdraw: (data) => {
    const why = data.lostSince ? inParts`, made with an authenticator that was${lost(data, ' ')}` : [];
    return inParts`withdrew ${approver(data)}approval of ${pull(data)}${why}`;
  },
  memberSessionsEnd: ({ user }) => inParts`signed ${user ? { name: user } : 'a member'} out everywhere`,
  setOrgImage: () => ["set the organization's security image"],
  policyChange: (data) => {
    const changes = policyChanges(data).flatMap((change, at) => [at === 0 ? ': ' : '; ', ...change]);
    return inParts`changed the policy${changes}`;
  },
  unapprovedMerge: (data) => {
    const around = data.rules ?? [];
    const rules = around.flatMap((name, at) => inParts`${at === 0 ? ', around “' : ' and “'}${{ name }}”`);
    return inParts`merged ${pull(data)} without an approval${rules}`;
  },
  forgedRecord: ({ collection }) =>
    inParts`wrote a forged record to the database, which OTP Guard ignores: ${{ name: collection || 'unknown' }}`,
  forgedCheck: (data) => inParts`gave ${pull(data)} a green check that OTP Guard didn't give`,
  webauthnPending: (data) => inParts`registered ${theAuthenticator(data)}, which waits to be confirmed`,
  vouch: (data) => {
    const what = labelled(data) ?? noun(data);
    if (data.user === data.login) return inParts`confirmed their ${what}`;
    return inParts`vouched for ${holder(data)}${what}`;
  },
  confirmOwner: (data) => inParts`was confirmed by the operator of OTP Guard with ${theAuthenticator(data)}`,
  restore: ({ backup }) => {
    const from = backup ? inParts` of ${{ time: backup }}` : [];
    return inParts`restored the records from a backup${from}. What was logged since is no longer in the log`;
  },
  hookSet: (data) => inParts`set ${hook(data)}`,
  hookRemove: (data) => inParts`removed ${hook(data)}`,
  hookStop: (data) => inParts`stopped ${hook(data)}, which failed for a week`,
  protectionWeakened: (data) => inParts`weakened what protects the organization: ${changed(data)}`,
  protectionStrengthened: (data) => inParts`strengthened what protects the organization: ${changed(data)}`,
  protectionBaseline: () => ['sent who may bypass rulesets'],
  weakeningAcknowledged: (data) => {
    const what = data.entry ? `log entry ${data.entry}` : 'a change';
    return inParts`acknowledged ${what}${data.alone ? ' alone, as the only owner' : ''}: ${changed(data)}`;
  },
};

/** The change that made something weaker or stronger, and the state before it. */
const changed = (data: ActivityData): Part[] => {
  const change = loggedChange(data);
  if (!change) return ['a rule'];
  const before = change.before ? inParts` (before: ${{ name: change.before }})` : [];
  return inParts`${{ name: changeText(change) }}${before}`;
};

const hook = ({ hook: kind, host }: ActivityData): Part[] => {
  const to = host ? inParts` to ${{ name: host }}` : [];
  return inParts`the ${kind === 'slack' ? 'Slack webhook' : 'outgoing webhook'}${to}`;
};

function pull({ repo, pr, sha }: ActivityData): Part[] {
  const name = repo && pr ? `${repo} #${pr}` : 'a pull request';
  return sha ? inParts`${name} at ${{ commit: sha }}` : [name];
}

/** "their" if they withdrew their own. */
const approver = (data: ActivityData): Part[] =>
  data.user && data.user !== data.login ? holder(data) : ['their '];

/** Since when an authenticator was lost or stolen. */
const lost = ({ lostSince }: ActivityData, before = ', '): Part[] =>
  lostSince ? inParts`${before}lost or stolen since ${{ time: lostSince }}` : [];

const holder = ({ user }: ActivityData): Part[] => (user ? inParts`${{ name: user }}'s ` : ["a member's "]);

const theAuthenticator = (data: ActivityData): Part[] => {
  const named = labelled(data);
  return named ? inParts`the ${named}` : [withArticle(data)];
};

/** The authenticator with its label; null if it has none that its holder chose. */
function labelled(data: ActivityData): Part[] | null {
  if (!data.label || kindOf(data)?.hasOwnLabel === false) return null;
  return inParts`${noun(data)} “${{ name: data.label }}”`;
}

const withArticle = (data: ActivityData) => `${/^[aeiou]/.test(noun(data)) ? 'an' : 'a'} ${noun(data)}`;

const noun = (data: ActivityData): string => kindOf(data)?.noun ?? 'authenticator';

const kindOf = ({ type }: ActivityData): AuthenticatorKind | undefined => type && authenticatorKinds[type];
