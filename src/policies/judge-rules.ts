import { authenticatorTypes } from '../contract/authenticator-kinds.ts';
import type { Assurance, Rule } from '../contract/policy.ts';
import { isAboutDeployments } from '../contract/rule-subjects.ts';
import {
  approvalsWords,
  conditionWords,
  listWords,
  methodWords,
  sourceWords,
} from '../contract/rule-words.ts';
import { applyingRules } from './applying-rules.ts';
import { approvalFault } from './assurance.ts';
import {
  type GivenApproval,
  type Grounds,
  type JudgedRule,
  type NotBy,
  obstacleTo,
  unknownToExclude,
} from './counts.ts';
import type { PullDetails, RuledPull } from './details.ts';

/**
 * Judges each rule that applies to a pull request or may apply, after the one approval of a member
 * if that is asked for.
 *
 * @param approvals The valid approvals of the pull request's head. Of a person's approvals, the first that counts is counted.
 */
export function judgeRules<A extends GivenApproval>(
  pull: RuledPull,
  approvals: A[],
  grounds: Grounds,
): JudgedRule<A>[] {
  const { policy, details, hasRoots } = grounds;
  const assured = approvals.filter((approval) => !approvalFault(policy.assurance, approval, hasRoots));
  const { rules, needsMember } = applyingRules(pull, grounds);
  const judged = rules.map((one) => judgeRule(one, assured, { pull, details }));
  return needsMember ? [judgeMemberApproval(assured, policy.assurance, details), ...judged] : judged;
}

/** The judged rules, whether all enforced ones are met, and the approvals that count for one of those. */
export function judgeApprovals<A extends GivenApproval>(pull: RuledPull, approvals: A[], grounds: Grounds) {
  const rules = judgeRules(pull, approvals, grounds);
  const enforced = rules.filter((rule) => rule.enforced);
  const counted = new Set(enforced.flatMap((rule) => rule.counted));
  return {
    rules,
    areMet: enforced.every(({ met }) => met),
    approvals: approvals.filter((approval) => counted.has(approval)),
  };
}

function judgeRule<A extends GivenApproval>(
  { rule, isCertain }: { rule: Rule; isCertain: boolean },
  assured: A[],
  about: { pull: RuledPull; details: PullDetails },
): JudgedRule<A> {
  const { name, enforced, require } = rule;
  if (isSatisfied(rule, about.pull))
    return { name, enforced, met: true, approvals: 0, counted: [], missing: '' };
  const unknown = require.approvals === 0 ? [] : unknownToExclude(rule, about.pull, about.details);
  const approvals = require.approvals + (unknown.length > 0 ? 1 : 0);
  const counting = assured.filter((approval) => obstacleTo(rule, approval, about) === null);
  const counted = oneOfEach(counting).slice(0, approvals);
  const lacking = approvals - counted.length;
  const missing = lacking === 0 ? '' : missingSentence(rule, { lacking, unknown, isCertain });
  return { name, enforced, met: lacking === 0, approvals, counted, missing };
}

const HOUR_MS = 60 * 60_000;

/** Tells whether the rule is met by an approved merge of the deployed commit. */
function isSatisfied({ require: { satisfiedBy } }: Rule, { deployment }: RuledPull): boolean {
  if (!satisfiedBy || !deployment?.mergedAt) return false;
  const age = deployment.now.getTime() - deployment.mergedAt.getTime();
  return age <= satisfiedBy.merge.hours * HOUR_MS;
}

/** The first approval of each person. */
function oneOfEach<A extends GivenApproval>(approvals: A[]): A[] {
  const byPerson = new Map<number, A>();
  for (const approval of approvals)
    if (!byPerson.has(approval.githubId)) byPerson.set(approval.githubId, approval);
  return [...byPerson.values()];
}

/** Judges a pull request to which no enforced rule is known to apply: it needs one approval of a member. */
function judgeMemberApproval<A extends GivenApproval>(
  assured: A[],
  assurance: Assurance,
  details: PullDetails,
): JudgedRule<A> {
  const counted = assured.filter((approval) => isMembers(approval, details)).slice(0, 1);
  const isLimited = assurance.methods.length < authenticatorTypes.length;
  const met = counted.length > 0;
  return {
    name: '',
    enforced: true,
    met,
    approvals: 1,
    counted,
    missing: met ? '' : missingFromMember(assurance, isLimited),
  };
}

/** Tells whether the person was a member when they approved, or is one now. */
export const isMembers = (
  { githubId, fromOutside }: Pick<GivenApproval, 'githubId' | 'fromOutside'>,
  { people }: PullDetails,
): boolean => !fromOutside || people.some((person) => person.githubId === githubId && person.role !== null);

// Every sentence that says what a pull request lacks. They're plain text, and contain nothing that a stranger chose.

type Lack = {
  /** The number of missing approvals. */
  lacking: number;
  /** The exclusions whose people OTP Guard doesn't all know. */
  unknown: NotBy[];
  /** True if it's known that the rule applies. */
  isCertain: boolean;
};

/** The approvals that a rule misses, and who can give them. */
function missingSentence(rule: Rule, { lacking, unknown, isCertain }: Lack): string {
  const { require } = rule;
  const needed = `${approvalsWords(lacking, 'more ')} from ${sourceWords(require.from, lacking)}`;
  return `Needs ${needed}${conditionWords(require, isAboutDeployments(rule))}${unknownWordsOf(unknown)}${isCertain ? '' : DOUBT}.`;
}

/** The approval that is missing if no enforced rule is known to apply. */
function missingFromMember({ methods, userVerification }: Assurance, isLimited: boolean): string {
  const verified = userVerification === 'required' ? ', with user verification' : '';
  return `Needs 1 approval from any member${isLimited ? `, with ${methodWords(methods)}` : ''}${verified}.`;
}

/** A missing sentence for a person whose approval counts already, without the period: `1 more approval needed, from an owner`. */
export const stillMissing = (missing: string): string =>
  missing
    .replace(/^Needs (\d+) (?:more )?approvals? from/, (_, lacking) =>
      lacking === '1' ? '1 more approval needed, from' : `${lacking} more approvals needed, from`,
    )
    .replace(/\.$/, '');

/** A missing sentence as a cell of a table: `1 more approval from an owner` is `1 approval from an owner`, without a period. */
export const neededOf = (missing: string): string =>
  missing.replace(/^Needs (\d+)(?: more)?/, '$1').replace(/\.$/, '');

const unknownWordsOf = (unknown: NotBy[]) =>
  unknown.length === 0
    ? ''
    : `; one more than usual because OTP Guard doesn't know ${listWords(
        unknown.map((who) => unknownWords[who]),
        'or',
      )}`;

const unknownWords = {
  author: 'who opened the pull request',
  committers: 'who wrote each commit',
  pusher: 'who pushed its head',
  initiator: 'who asked for the change',
} as const satisfies Record<NotBy, string>;

const DOUBT = "; OTP Guard doesn't know enough about the pull request to rule out that this applies";
