import { DEFAULT_POLICY } from '../../contract/default-policy.ts';
import type { Policy } from '../../contract/policy.ts';
import { listWords } from '../../contract/rule-words.ts';
import { excludedPeople, type JudgedRule, type Grounds as OwnGrounds } from '../../policies/counts.ts';
import { NO_DETAILS, type PullDetails, type RuledPull } from '../../policies/details.ts';
import { judgeApprovals, stillMissing } from '../../policies/judge-rules.ts';
import type { Approval, Denial, OpenPull, PullRequest } from '../ports.ts';

/** A pull request, and the verdict of the organization's rules about it. */
export type JudgedPull = {
  pull: PullRequest;
  /** True if everything that is enforced is met and nobody denied the head. */
  passed: boolean;
  /** The denials of its head, oldest first. */
  denials: Denial[];
  /** The approvals that count for something enforced; those for this pull request come first. */
  approvals: Approval[];
  /** The rules that apply to it: the default rule first, if it applies. */
  rules: JudgedRule<Approval>[];
  /** What agents had a hand in, as one line without a period: `Claude wrote 3 of 5 commits`. Null if no rule asks, or for none. */
  agents: string | null;
};

/** `passed` is true if there is an open pull request with the head, and each of them passes. `denials` are the head's. */
export type Verdict = { passed: boolean; pulls: JudgedPull[]; denials: Denial[] };

/** What people gave for a head. */
export type GivenForHead = { approvals: Approval[]; denials: Denial[] };

/**
 * A verdict follows from this, in addition to the pull requests and their
 * approvals. Details are by pull request. `hasRoots`: whether the operator trusts
 * attestation roots.
 */
export type Grounds = { policy: Policy; details: ReadonlyMap<number, PullDetails>; hasRoots: boolean };

/** The grounds of an organization that has set no policy. */
export const DEFAULT_GROUNDS: Grounds = { policy: DEFAULT_POLICY, details: new Map(), hasRoots: false };

/**
 * Decides whether a head may pass. A check run belongs to a commit, and several
 * pull requests can share it: the head passes only if each of them passes, with
 * approvals of this head and of its own base branch. Each is judged on its own. A denial of the head holds for all.
 */
export function judge(
  input: GivenForHead & { head: string; pulls: PullRequest[]; grounds: Grounds },
): Verdict {
  const { head, grounds } = input;
  const pulls = input.pulls
    .filter((pull) => pull.open && pull.head === head)
    .sort((one, other) => one.number - other.number)
    .map((pull) => judgePull(pull, input, grounds));
  // Without a pull request it isn't known whose account the repository is in by now.
  const denials = pulls[0]?.denials ?? input.denials;
  return { passed: pulls.length > 0 && pulls.every(({ passed }) => passed), pulls, denials };
}

/**
 * Judges one pull request at its present head, for its present base branch. An
 * approval that was signed for another pull request of the repository counts
 * too, after its own: what merging does is the same for both.
 */
export function judgePull(pull: PullRequest, given: GivenForHead, grounds: Grounds): JudgedPull {
  const denials = given.denials.filter((denial) => isOfHead(denial, pull));
  const own = groundsOf(pull, grounds);
  const { areMet, ...judged } = judgeApprovals(pull, approvalsOf(pull, given.approvals), own);
  return {
    pull,
    passed: denials.length === 0 && areMet,
    denials,
    ...judged,
    agents: own.details.agents?.line ?? null,
  };
}

/** What one of the pull requests is judged by. */
export const groundsOf = ({ number }: PullRequest, { details, ...all }: Grounds): OwnGrounds => ({
  ...all,
  details: details.get(number) ?? NO_DETAILS,
});

/** The approvals of the pull request's head and base branch, its own first. */
export function approvalsOf(pull: PullRequest, approvals: Approval[]): Approval[] {
  const valid = approvals.filter((approval) => isOfHead(approval, pull) && approval.base === pull.base);
  const isOwn = ({ pr }: Approval) => pr === pull.number;
  return [...valid.filter(isOwn), ...valid.filter((approval) => !isOwn(approval))];
}

/** An account's denial ends when its repository is transferred, as its approvals do: its members are no longer asked. */
function isOfHead({ orgId, repoId, head }: Approval | Denial, pull: PullRequest): boolean {
  return orgId === pull.repo.ownerId && repoId === pull.repo.id && head === pull.head;
}

/** Tells whether any rule but the default one applies to the pull request. */
export const isRuled = (rules: JudgedPull['rules']): boolean => rules.some(({ name }) => name !== '');

/**
 * Says what the check of a head still waits for, as one sentence in plain text about one of its pull requests; null if the
 * check passes. It names who denied the head, or who can give the missing approvals and who approved so far.
 */
export function needsOf({ passed, pulls, denials: [denial] }: Verdict, pr: number): string | null {
  if (passed) return null;
  if (denial) return `${denial.login} denied this commit${denial.reason && `: ${denial.reason}`}`;
  const own = pulls.find(({ pull }) => pull.number === pr);
  if (own && !own.passed) return lackOf(own);
  const others = pulls.filter((judged) => !judged.passed).map(({ pull }) => `#${pull.number}`);
  if (others.length === 0) return "OTP Guard doesn't see an open pull request with this commit now.";
  const names = listWords(others, 'and');
  return others.length === 1
    ? `The check waits for ${names} too, which has the same commit and isn't approved yet.`
    : `The check waits for ${names} too, which have the same commit and aren't approved yet.`;
}

function lackOf({ rules, approvals }: JudgedPull): string {
  const lacks = rules
    .filter(({ enforced, met }) => enforced && !met)
    .map(({ missing }) => stillMissing(missing));
  const logins = [...new Set(approvals.map(({ login }) => login))];
  const soFar = logins.length > 0 ? [`${listWords(logins, 'and')} approved so far`] : [];
  return `${[...lacks, ...soFar].join('; ')}.`;
}

/**
 * What keeps a pull request or a deployment from passing: the enforced rules that it doesn't meet, with the details that
 * later decide for whom it waits, and the newest denial of its commit.
 */
export function lacksOf(
  { rules, denials }: { rules: JudgedRule[]; denials: Denial[] },
  pull: RuledPull,
  { policy, details }: OwnGrounds,
): Pick<OpenPull, 'lacks' | 'denied'> {
  const lacks = rules
    .filter(({ enforced, met }) => enforced && !met)
    .map(({ name, missing, approvals, counted }) => {
      const rule = policy.rules.find((one) => one.name === name);
      return {
        rule: name,
        missing,
        lacking: approvals - counted.length,
        counted: counted.map(({ githubId }) => githubId),
        excluded: rule ? excludedPeople(rule, { pull, details }) : [],
      };
    });
  const newest = denials.at(-1);
  const denied = newest && { login: newest.login, reason: newest.reason, at: newest.at.toISOString() };
  return { lacks, denied: denied ?? null };
}
