import { DEFAULT_POLICY, type Policy } from '../../contract/policy.ts';
import type { JudgedRule } from '../../policies/counts.ts';
import { NO_FACTS, type PullFacts } from '../../policies/facts.ts';
import { judgeRules } from '../../policies/judge-rules.ts';
import type { Approval, PullRequest } from '../ports.ts';

/** A pull request, and what the organization's rules say about it. */
export type JudgedPull = {
  pull: PullRequest;
  /** Whether everything that is enforced is met. */
  passed: boolean;
  /** The approvals that count for something enforced; those for this pull request come first. */
  approvals: Approval[];
  /** What applies to it: the seed first, if that is asked for. */
  rules: JudgedRule<Approval>[];
};

/** `passed` is true if there is an open pull request with the head, and each of them passes. */
export type Verdict = { passed: boolean; pulls: JudgedPull[] };

/**
 * What a verdict follows from, in addition to the pull requests and their
 * approvals. Facts are by pull request. `hasRoots`: whether the operator trusts
 * attestation roots.
 */
export type Grounds = { policy: Policy; facts: ReadonlyMap<number, PullFacts>; hasRoots: boolean };

/** Of an organization that has set no policy. */
export const DEFAULT_GROUNDS: Grounds = { policy: DEFAULT_POLICY, facts: new Map(), hasRoots: false };

/**
 * Decides whether a head may pass. A check run belongs to a commit, and several
 * pull requests can share it: the head passes only if each of them passes, with
 * approvals of this head and of its own base branch. Each is judged on its own.
 */
export function judge(input: {
  head: string;
  pulls: PullRequest[];
  approvals: Approval[];
  grounds: Grounds;
}): Verdict {
  const { head, approvals, grounds } = input;
  const pulls = input.pulls
    .filter((pull) => pull.open && pull.head === head)
    .sort((one, other) => one.number - other.number)
    .map((pull) => judgePull(pull, approvals, grounds));
  return { passed: pulls.length > 0 && pulls.every(({ passed }) => passed), pulls };
}

/**
 * Judges one pull request at its present head, for its present base branch. An
 * approval that was signed for another pull request of the repository counts
 * too, after its own: what merging does is the same for both.
 */
export function judgePull(
  pull: PullRequest,
  approvals: Approval[],
  { policy, facts, hasRoots }: Grounds,
): JudgedPull {
  const valid = approvalsOf(pull, approvals);
  const rules = judgeRules(pull, valid, { policy, facts: facts.get(pull.number) ?? NO_FACTS, hasRoots });
  const enforced = rules.filter((rule) => rule.enforced);
  const counted = new Set(enforced.flatMap((rule) => rule.counted));
  return {
    pull,
    passed: enforced.every(({ met }) => met),
    approvals: valid.filter((approval) => counted.has(approval)),
    rules,
  };
}

/** The approvals of the pull request's head and base branch, its own first. */
export function approvalsOf(pull: PullRequest, approvals: Approval[]): Approval[] {
  const valid = approvals.filter((approval) => approves(approval, pull));
  const isOwn = ({ pr }: Approval) => pr === pull.number;
  return [...valid.filter(isOwn), ...valid.filter((approval) => !isOwn(approval))];
}

function approves(approval: Approval, pull: PullRequest): boolean {
  return (
    approval.orgId === pull.repo.ownerId &&
    approval.repoId === pull.repo.id &&
    approval.head === pull.head &&
    approval.base === pull.base
  );
}

/** Whether anything but the seed says something about the pull request. */
export const isRuled = (rules: JudgedPull['rules']): boolean => rules.some(({ name }) => name !== '');
