import type { ActivityData } from './activity.ts';
import type { ProtectionChange, WeakeningKind } from './protection.ts';

/** One sentence about a change, with who did it: people read it in e-mails and on the overview. */
export function changeSentence(change: ProtectionChange, by: string | null): string {
  const what = changeText(change).replace(/^the /, 'The ');
  return `${what}; ${by ? `${by} did this` : 'GitHub didn’t say who did this'}.`;
}

/** The change that made something weaker or stronger, without who did it. */
export const changeText = (change: ProtectionChange): string => WORDS[change.kind](change);

/** The change that an entry of the log is about, with the person's name where it's about one. */
export const loggedChange = ({ change, user }: ActivityData): ProtectionChange | undefined =>
  change && { ...change, subject: change.subject || (user ?? '') };

const named = ({ repo }: ProtectionChange, what: string) => (repo === undefined ? what : `${repo}: ${what}`);
const somebody = ({ subject }: ProtectionChange) => subject || 'somebody';

const OF_BRANCH = 'the branch protection of ';
/** Our name for branch protection, which has none on GitHub. The log has it, so it never changes. */
export const branchProtectionName = (branch: string): string => OF_BRANCH + branch;
const isBranchProtection = (name: string): boolean => name.startsWith(OF_BRANCH);

/** A ruleset has the name that a person chose; ours for branch protection stands without quotes. */
const rule = ({ subject }: ProtectionChange) =>
  isBranchProtection(subject) ? subject : `the rule “${subject}”`;

/** The words for states whose name in the log isn't what people read. */
export const STATE_WORDS: Record<string, string> = {
  'no such key': 'can no longer write',
  owner: 'became an owner',
  'no owner': 'is no longer an owner',
  suspended: 'was suspended',
  active: 'is no longer suspended',
  removed: 'was removed',
  installed: 'was installed again',
};

const state = ({ after }: ProtectionChange) => STATE_WORDS[after] ?? after;

/** The rule and its state, such as "hello: the rule “OTP Guard” isn't enforced". */
const ofRule = (change: ProtectionChange) => named(change, `${rule(change)} ${state(change)}`);
/** Names an actor and says what it may do now, such as "hello: the team core in OTP Guard may always bypass". */
const ofActor = (change: ProtectionChange) => named(change, `${somebody(change)} ${state(change)}`);
const ofApp = (change: ProtectionChange) => `OTP Guard ${state(change)}`;

const WORDS: Record<WeakeningKind, (change: ProtectionChange) => string> = {
  checkNotRequired: ofRule,
  ruleNotActive: ofRule,
  ruleCoversLess: ofRule,
  protectionRemoved: ofRule,
  checkFromAnySource: (change) => named(change, `${rule(change)} takes the check ${state(change)}`),
  pullRequestNotRequired: ofRule,
  bypassAdded: ofActor,
  bypassLoosened: ofActor,
  administratorsFree: ofActor,
  deployKeyAdded: (change) => named(change, `the deploy key “${change.subject}” ${state(change)}`),
  environmentOpened: (change) => named(change, `the environment “${change.subject}” ${state(change)}`),
  ownerAdded: ofActor,
  permissionsReduced: ({ subject, before, after }) =>
    `OTP Guard’s permission ${subject} went from ${before} to ${after}`,
  repositoriesReduced: ({ subject, before, after }) =>
    `OTP Guard’s access to ${subject} went from ${before} to ${after}`,
  appSuspended: ofApp,
  appRemoved: ofApp,
};
