import type { Assurance, Rule } from '../contract/policy.ts';
import { isAboutDeployments } from '../contract/rule-subjects.ts';
import { listWords, methodWords, sourceWords } from '../contract/rule-words.ts';
import { applyingRules } from './applying-rules.ts';
import { approvalFault, assuranceSentence } from './assurance.ts';
import { type Approver, type Grounds, type Obstacle, obstacleTo } from './counts.ts';
import type { RuledPull } from './details.ts';
import { isMembers } from './judge-rules.ts';

/** A sentence says of at most this many rules why they don't count an approval. */
const MOST_REASONS = 3;

/**
 * Why an approval of this person with this authenticator would count for
 * nothing; null if it would count for an enforced rule that applies or may
 * apply, or as the one approval of a member.
 */
export function whyNotCounted(approver: Approver, pull: RuledPull, grounds: Grounds): string | null {
  const { policy, details, hasRoots } = grounds;
  const fault = approvalFault(policy.assurance, approver, hasRoots);
  if (fault) return assuranceSentence(fault, policy.assurance, approver, pull.repo.owner);
  const subject = pull.deployment ? 'deployment' : 'pull request';
  const { rules, needsMember } = applyingRules(pull, grounds);
  if (needsMember && isMembers(approver, details)) return null;
  const enforced = rules.map(({ rule }) => rule).filter((rule) => rule.enforced);
  const asking = enforced.filter(({ require }) => require.approvals > 0);
  if (!needsMember && asking.length === 0)
    return `This ${subject} needs no approval, by ${rulesWords(enforced)}.`;
  const reasons = needsMember ? [`this ${subject} needs an approval from a member`] : [];
  const obstacles = asking.map((rule) => ({ rule, obstacle: obstacleTo(rule, approver, { pull, details }) }));
  if (obstacles.some(({ obstacle }) => obstacle === null)) return null;
  if (!pull.deployment && obstacles.some(({ obstacle }) => obstacle === 'initiator')) return ASKED_FOR_IT;
  for (const { rule, obstacle } of obstacles)
    if (obstacle) reasons.push(`${rulesWords([rule])} ${reasonWords(rule, obstacle)}`);
  return `Your approval wouldn't count: ${listWords(reasons.slice(0, MOST_REASONS), 'and')}.`;
}

/**
 * The user verification that an approval by one of these needs: by the organization's assurance, or by an enforced rule
 * that applies or may apply and would count it.
 */
export function neededVerification(
  approvers: Approver[],
  pull: RuledPull,
  grounds: Grounds,
): Assurance['userVerification'] {
  const { policy, details } = grounds;
  const verified = approvers.map((approver) => ({ ...approver, userVerified: true }));
  const isNeeded =
    policy.assurance.userVerification === 'required' ||
    applyingRules(pull, grounds).rules.some(
      ({ rule }) =>
        rule.enforced &&
        rule.require.approvals > 0 &&
        rule.require.userVerification === 'required' &&
        verified.some((approver) => obstacleTo(rule, approver, { pull, details }) === null),
    );
  return isNeeded ? 'required' : 'preferred';
}

/** Said without the rule's name: it's the same for every such rule. */
const ASKED_FOR_IT = 'You asked for this change, so another person has to approve it.';

const rulesWords = (rules: Rule[]) =>
  `the ${rules.length === 1 ? 'rule' : 'rules'} ${listWords(
    rules.map(({ name }) => `“${name}”`),
    'and',
  )}`;

function reasonWords(rule: Rule, obstacle: Obstacle): string {
  const { require } = rule;
  if (obstacle === 'from') return `asks for ${sourceWords(require.from, 1)}`;
  if (obstacle === 'permission') return `asks for people with at least ${require.permission} permission`;
  if (obstacle === 'methods') return `asks for ${methodWords(require.methods ?? [])}`;
  return isAboutDeployments(rule) && obstacle !== 'userVerification' ? OF_THE_RUN : reasons[obstacle];
}

const OF_THE_RUN = "doesn't count who started the run or brought the commit in, and you did";

const reasons = {
  author: "doesn't count the author, and you opened this pull request",
  committers: "doesn't count who wrote its commits, and one of them is yours",
  pusher: "doesn't count who pushed its head, and you did",
  initiator: "doesn't count who asked for it, and you did",
  userVerification: 'asks for your fingerprint, face or PIN',
} as const satisfies Partial<Record<Obstacle, string>>;
