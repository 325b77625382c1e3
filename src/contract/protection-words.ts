import type { ActivityData } from './activity.ts';
import type { ProtectionChange, WeakeningKind } from './protection.ts';

/** One sentence about a change, with who did it: people read it in e-mails and on the overview. */
export function changeSentence(change: ProtectionChange, by: string | null): string {
  const what = changeText(change).replace(/^the /, 'The ');
  return `${what}; ${by ? `${by} did this` : 'GitHub didn’t say who did this'}.`;
}

/** The change that made something weaker or stronger, without who did it. */
export function changeText(change: ProtectionChange): string {
  const [weaker, stronger] = WORDS[change.kind](change);
  return change.isWeaker ? weaker : stronger;
}

/** The change that an entry of the log is about, with the person's name where it's about one. */
export const loggedChange = ({ change, user }: ActivityData): ProtectionChange | undefined =>
  change && { ...change, subject: change.subject || (user ?? '') };

const named = ({ repo }: ProtectionChange, what: string) => (repo === undefined ? what : `${repo}: ${what}`);
const somebody = ({ subject }: ProtectionChange) => subject || 'somebody';

/** A ruleset has the name that somebody chose; ours for branch protection, which has none, stands without quotes. */
const rule = ({ subject }: ProtectionChange) =>
  subject.startsWith('the branch protection of ') ? subject : `the rule “${subject}”`;

/** The rule and its state, such as "hello: the rule “OTP Guard” isn't enforced". */
const ofRule = (change: ProtectionChange) => both(named(change, `${rule(change)} ${change.after}`));
/** Somebody and what they may do now, such as "hello: the team core in OTP Guard may always bypass". */
const ofActor = (change: ProtectionChange) => both(named(change, `${somebody(change)} ${change.after}`));

/** The event if it's weaker, and if it's stronger. */
const WORDS: Record<WeakeningKind, (change: ProtectionChange) => [weaker: string, stronger: string]> = {
  checkNotRequired: ofRule,
  ruleNotActive: ofRule,
  ruleCoversLess: ofRule,
  protectionRemoved: ofRule,
  checkFromAnySource: (change) => both(named(change, `${rule(change)} takes the check ${change.after}`)),
  pullRequestNotRequired: ofRule,
  bypassAdded: ofActor,
  bypassLoosened: ofActor,
  administratorsFree: ofActor,
  deployKeyAdded: (change) => [
    named(change, `the deploy key “${change.subject}” can write`),
    named(change, `the deploy key “${change.subject}” can no longer write`),
  ],
  ownerAdded: (change) => [
    `${somebody(change)} became an owner`,
    `${somebody(change)} is no longer an owner`,
  ],
  permissionsReduced: ({ subject, before, after }) =>
    both(`OTP Guard’s permission ${subject} went from ${before} to ${after}`),
  repositoriesReduced: ({ subject, before, after }) =>
    both(`OTP Guard’s access to ${subject} went from ${before} to ${after}`),
  appSuspended: () => ['OTP Guard was suspended', 'OTP Guard is no longer suspended'],
  appRemoved: () => ['OTP Guard was removed', 'OTP Guard was installed again'],
};

function both(text: string): [string, string] {
  return [text, text];
}
