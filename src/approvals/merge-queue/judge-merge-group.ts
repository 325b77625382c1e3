import { codeSpan, escapeText } from '../check-run/markdown.ts';
import { short } from '../check-run/texts.ts';
import type { HeadDeps } from '../deps.ts';
import type { JudgedPull } from '../judge/judge.ts';
import { judgeNow } from '../judge/read-grounds.ts';
import type { KnownGroup, PullRequest } from '../ports.ts';

/** `because` is a sentence. A failure that isn't final may have another outcome when the check is run again. */
export type JudgedGroup =
  | { verdict: 'passed' }
  | { verdict: 'waiting'; because: string }
  | { verdict: 'failed'; because: string; isFinal: boolean };

/** GitHub's own default for how long a queue waits for a check. */
export const GROUP_WAITS_MS = 60 * 60_000;

const failed = (because: string, isFinal = true): JudgedGroup => ({ verdict: 'failed', because, isFinal });

/**
 * Decides about a merge queue's group. It passes only if the pull request that
 * it was created for is approved, at its present head and for the branch that
 * the queue merges into, and if it is built on the tip of that branch or on a
 * group that GitHub shows as passed. While it is built on anything else, it waits: webhooks of
 * groups arrive in any order. GitHub removes a pull request from the queue when
 * it gets another commit, so its head at the first judgement is the queued one.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function judgeGroup(
  deps: HeadDeps,
  group: KnownGroup,
  pull: PullRequest | null,
): Promise<JudgedGroup> {
  if (group.verdict === 'failed') return failed(mergeObstacles.failedBefore(group.pr));
  // No answer isn't a no for ever.
  if (!pull) return failed(mergeObstacles.notOpen(group.pr), false);
  if (group.pullHead !== pull.head) return failed(mergeObstacles.headMoved(group.pr));
  if (!pull.open || pull.repo.id !== group.repoId) return failed(mergeObstacles.notOpen(group.pr));
  if (pull.base !== group.base) return failed(mergeObstacles.otherBase(group.pr, pull.base, group.base));
  const judged = await judgeNow(deps, { repo: group.repo, pull });
  if (!judged.passed) return failed(notApproved(judged));
  return judgeBase(deps, group);
}

function notApproved({ pull: { number, head }, denials, rules }: JudgedPull): string {
  const denial = denials.at(-1);
  if (denial) return mergeObstacles.denied(number, head, denial.login);
  const unmet = rules.find(({ enforced, met }) => enforced && !met);
  return unmet?.name
    ? mergeObstacles.ruleNotMet(number, head, unmet)
    : mergeObstacles.notApproved(number, head);
}

/** Judges the commit that the group is built on, which may merge before it, or already did. */
async function judgeBase(deps: HeadDeps, group: KnownGroup): Promise<JudgedGroup> {
  const baseGroup = await deps.mergeGroups.find(group.repoId, group.baseSha);
  // A group of another branch says nothing about this one.
  const before = baseGroup?.base === group.base ? baseGroup : null;
  if (before?.verdict === 'passed' && (await isShownAsPassed(deps, before))) return { verdict: 'passed' };
  if (group.verdict === 'passed' && before?.verdict !== 'failed') return { verdict: 'passed' };
  // The commit is in the branch already, so this group merges nothing of it, even if the group before was merged by force.
  if ((await deps.branches.tip(group.repo, group.base, group.baseSha)) === group.baseSha)
    return { verdict: 'passed' };
  if (before?.verdict === 'failed') return failed(mergeObstacles.baseFailed(before.pr));
  const because = before
    ? mergeObstacles.baseWaits(before.pr)
    : mergeObstacles.unknownBase(group.baseSha, group.base);
  const waited = deps.clock.now().getTime() - group.since.getTime();
  return waited < GROUP_WAITS_MS ? { verdict: 'waiting', because } : failed(because, false);
}

/** Tells whether GitHub shows the success of a group that passed. Until it does, the approval can be taken back. */
export async function isShownAsPassed(
  { checkRunRecords }: HeadDeps,
  { repoId, head }: KnownGroup,
): Promise<boolean> {
  const run = await checkRunRecords.latest(repoId, head);
  return run?.phase === 'completed' && run.mayBeGreen;
}

/** Why a merge group may not merge or has to wait, in one sentence each. */
export const mergeObstacles = {
  failedBefore: (pr: number) => `#${pr} couldn't merge when this group was created.`,
  headMoved: (pr: number) => `#${pr} has a different commit than when this group was created.`,
  notOpen: (pr: number) => `#${pr} isn't an open pull request.`,
  otherBase: (pr: number, base: string, queue: string) =>
    `#${pr} goes into ${codeSpan(base)}, not into ${codeSpan(queue)}.`,
  denied: (pr: number, head: string, login: string) =>
    `@${escapeText(login)} denied commit \`${short(head)}\` of #${pr}.`,
  notApproved: (pr: number, head: string) => `Nobody has approved commit \`${short(head)}\` of #${pr}.`,
  ruleNotMet: (pr: number, head: string, { name, missing }: { name: string; missing: string }) =>
    `Commit \`${short(head)}\` of #${pr} doesn't have what the rule ${codeSpan(name)} asks for: ${escapeText(missing)}`,
  unknownBase: (baseSha: string, base: string) =>
    `The group is built on commit \`${short(baseSha)}\`, which is neither the tip of ${codeSpan(base)} ` +
    'nor a group that OTP Guard knows.',
  baseWaits: (pr: number) => `The group is built on the group of #${pr}, whose check hasn't passed yet.`,
  baseFailed: (pr: number) => `#${pr}, which this group is built on, may not merge.`,
};
