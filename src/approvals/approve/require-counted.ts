import type { LoggedVerdict } from '../../contract/log-entry.ts';
import type { Assurance } from '../../contract/policy.ts';
import type { AssuredAuthenticator } from '../../policies/assurance.ts';
import type { Grounds } from '../../policies/counts.ts';
import type { RuledPull } from '../../policies/details.ts';
import { policySha256 } from '../../policies/policy.ts';
import type { StoredPolicy } from '../../policies/ports.ts';
import { neededVerification, whyNotCounted } from '../../policies/why-not-counted.ts';
import { AppError } from '../../shared/app-error.ts';
import { type ReadHead, readHead } from '../check-run/head.ts';
import type { HeadDeps } from '../deps.ts';
import { groundsOf, judgePull } from '../judge/judge.ts';
import type { SomePerson } from '../judge/read-grounds.ts';
import type { Approval, HeadApprovals } from '../ports.ts';
import type { AuthorizedTarget } from './authorize-approver.ts';

/** One use of an authenticator. */
export type Use = AssuredAuthenticator & { userVerified: boolean };

/** Approvals and denials of one person for one head, withdrawn ones too: each is read whenever the head is judged. */
const MOST_OF_PERSON = 20;

/** Tells whether the person has reached the limit of approvals and denials of one head. */
export const hasApprovedTooOften = (
  { valid, denials, withdrawn }: HeadApprovals,
  { githubId }: Pick<SomePerson, 'githubId'>,
): boolean =>
  [...valid, ...denials, ...withdrawn].filter((one) => one.githubId === githubId).length >= MOST_OF_PERSON;

/** An approval that would count: the head before it, and OTP Guard's decision with it. */
export type Counted = { head: ReadHead; given: Approval | null; verdict: LoggedVerdict | null };

/**
 * Requires that an approval would count for something: call it before anything
 * is used up. Only such a person can deny the head, and nobody can do both.
 *
 * @param input.use Null for a credential that isn't the person's, which `verifyAssertion` refuses.
 * @returns The head as it is before the approval, the approval, and what OTP Guard decides about the pull request with it,
 *   for the log; both are null without a use.
 * @throws AppError `approvedTooOften`, `alreadyDenied` while a denial by the person is in force, `wouldNotCount` with the reason,
 *   `githubUnavailable`, `storeUnavailable`.
 */
export async function requireCounted(
  deps: HeadDeps,
  input: { person: SomePerson; authorized: AuthorizedTarget; use: Promise<Use | null> | Use | null },
): Promise<Counted> {
  const { person, authorized } = input;
  const { repo, pull, reading, fromOutside } = authorized;
  const headRef = { repo, repoId: pull.repo.id, head: pull.head };
  const [use, head] = await Promise.all([input.use, readHead(deps, headRef, reading, person)]);
  if (!head)
    throw new AppError('githubUnavailable', { cause: new Error('the repository moved while it was read') });
  if (!use) return { head, given: null, verdict: null };
  const { approvals: valid, denials, withdrawn, grounds } = head;
  if (hasApprovedTooOften({ valid, denials, withdrawn }, person)) throw new AppError('approvedTooOften');
  const { refusal: sentence } = previewUses(pull, groundsOf(pull, grounds), {
    person,
    fromOutside,
    uses: [use],
  });
  if (sentence) throw new AppError('wouldNotCount', { sentence });
  const given = asGiven(deps.clock.now(), { person, authorized, use });
  const judged = judgePull(pull, { approvals: [...valid, given], denials }, grounds);
  if (judged.denials.some(({ githubId }) => githubId === person.githubId))
    throw new AppError('alreadyDenied');
  return { head, given, verdict: toLoggedVerdict(judged, head.policy) };
}

/** The approval that is about to be stored. */
function asGiven(
  now: Date,
  { person, authorized, use }: { person: SomePerson; authorized: AuthorizedTarget; use: Use },
): Approval {
  const { org, pull, fromOutside } = authorized;
  const { number: pr, base, head, repo } = pull;
  return {
    githubId: person.githubId,
    login: person.login,
    ...use,
    id: '',
    orgId: org.orgId,
    repoId: repo.id,
    pr,
    base,
    head,
    fromOutside,
    at: now,
    reported: false,
  };
}

/**
 * Tells how these uses of a person's authenticators would count for a pull request or a deployment.
 *
 * @returns `refusal`: why none of them would, by the reason of the first; null if one would, or if there are none.
 *   `userVerification`: what one of them needs, to count for everything that it can.
 */
export function previewUses(
  subject: RuledPull,
  grounds: Grounds,
  { person, fromOutside, uses }: { person: SomePerson; fromOutside: boolean; uses: Use[] },
): { refusal: string | null; userVerification: Assurance['userVerification'] } {
  const approvers = uses.map((use) => ({ ...use, githubId: person.githubId, fromOutside }));
  const reasons = approvers.map((approver) => whyNotCounted(approver, subject, grounds));
  return {
    refusal: reasons.includes(null) ? null : (reasons[0] ?? null),
    userVerification: neededVerification(approvers, subject, grounds),
  };
}

type LoggedRule = Omit<LoggedVerdict['rules'][number], 'by'> & { counted: { login: string }[] };

/** A verdict by this policy, as the log keeps it. */
export function toLoggedVerdict(
  { passed, rules }: { passed: boolean; rules: LoggedRule[] },
  { policy, number: policyNumber }: StoredPolicy,
): LoggedVerdict {
  return {
    passed,
    policyNumber,
    policySha256: policySha256(policy),
    rules: rules.map(({ name, enforced, met, missing, counted }) => ({
      name,
      enforced,
      met,
      missing,
      by: counted.map(({ login }) => login),
    })),
  };
}
