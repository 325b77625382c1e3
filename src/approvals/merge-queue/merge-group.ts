import type { RepositoryRef } from '../../organizations/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { attempt, inTurn } from '../../shared/work.ts';
import { readRun } from '../check-run/run.ts';
import { type DesiredRun, writeCheckRun } from '../check-run/write.ts';
import type { HeadDeps } from '../deps.ts';
import type { KnownGroup, MergeGroup } from '../ports.ts';
import { type RetryPauses, retryHeads } from '../retry-heads.ts';
import { targetOf } from '../sync-target.ts';
import {
  GROUP_WAITS_MS,
  isShownAsPassed,
  type JudgedGroup,
  judgeGroup,
  mergeObstacles,
} from './judge-merge-group.ts';
import { mergeGroupContent } from './merge-group-content.ts';

const MOST_ROUNDS = 3;

/**
 * Makes GitHub show the verdict on a merge queue's group, and then on the
 * groups that wait for it. A group that waits has a pending run.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function syncMergeGroup(
  deps: HeadDeps,
  repo: RepositoryRef,
  group: MergeGroup,
  options: Partial<Pick<DesiredRun, 'reason' | 'replaceAttempt'>> = {},
): Promise<{ verdict: JudgedGroup['verdict'] }> {
  const headRef = { repo, repoId: group.repoId, head: group.head };
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const readFrom = deps.clock.now();
    const run = await readRun(deps, headRef);
    const pull = await deps.pulls.get(repo, group.pr);
    // The group is stored before the group that it's built on is looked up: of two that arrive together, one sees the
    // other. A group whose pull request can't be read isn't stored: its head would be unknown for good.
    const knownGroup = pull
      ? await deps.mergeGroups.add(repo, group, pull.head)
      : await deps.mergeGroups.find(group.repoId, group.head);
    const judged: JudgedGroup = knownGroup
      ? await judgeGroup(deps, { ...knownGroup, repo }, pull)
      : { verdict: 'failed', because: mergeObstacles.notOpen(group.pr), isFinal: false };
    if (knownGroup) await store(deps, knownGroup, judged);
    const content = mergeGroupContent(deps.origins, group, { pull, judged });
    const fingerprint = `group:${content.conclusion}:${pull?.head ?? ''}`;
    const outcome = await writeCheckRun(deps, {
      headRef,
      run,
      content,
      readFrom,
      fingerprint,
      reason: 'webhook',
      ...options,
    });
    if (outcome === 'pending' || outcome === 'lost') continue;
    if (knownGroup && judged.verdict !== 'waiting') await finish(deps, knownGroup);
    return { verdict: judged.verdict };
  }
  throw new AppError('githubUnavailable', { cause: new Error("the group's run would not complete") });
}

/** Stores the verdict before GitHub shows it: a failure that isn't stored could become a success in another process. */
async function store(deps: HeadDeps, group: KnownGroup, judged: JudgedGroup): Promise<void> {
  if (judged.verdict === 'waiting' || judged.verdict === group.verdict) return;
  if (judged.verdict === 'failed' && !judged.isFinal) return;
  await deps.mergeGroups.settle(group, judged.verdict);
}

/** GitHub shows the verdict: the groups that waited for it continue. Groups that can't are tried again later. */
async function finish(deps: HeadDeps, { repoId, head }: KnownGroup): Promise<void> {
  await deps.mergeGroups.finish(repoId, head);
  for (const next of await deps.mergeGroups.unfinished({ repoId, baseSha: head }))
    await trySyncMergeGroup(deps, next);
}

/** A failure goes to `onSyncFailed`, and the caller continues. */
const trySyncMergeGroup = (deps: HeadDeps, group: KnownGroup) =>
  attempt(deps, targetOf(group), () => syncMergeGroup(deps, group.repo, group));

const PAUSES = { firstMs: 15_000, longestMs: 5 * 60_000 };
/** GitHub no longer waits for the group's check after this time. */
const GIVEN_UP_AFTER_MS = 2 * GROUP_WAITS_MS;

/**
 * Judges the groups again that wait, or whose verdict GitHub doesn't show yet,
 * oldest first. After growing pauses, because each judgement costs requests; immediately
 * if the group before has a verdict by now.
 */
export async function retryMergeGroups(deps: HeadDeps, pauses: RetryPauses): Promise<void> {
  const oldest = deps.clock.now().getTime() - GIVEN_UP_AFTER_MS;
  const groups = await deps.mergeGroups.unfinished();
  const isOver = ({ since }: KnownGroup) => since.getTime() <= oldest;
  await retryHeads(
    deps,
    pauses,
    groups.filter((group) => !isOver(group)),
    {
      ...PAUSES,
      isDue: (group) => isBaseJudged(deps, group),
      retry: async (group) => void (await trySyncMergeGroup(deps, group)),
    },
  );
  await inTurn(groups.filter(isOver), ({ repoId, head }) => deps.mergeGroups.finish(repoId, head));
}

async function isBaseJudged(deps: HeadDeps, { repoId, baseSha }: KnownGroup): Promise<boolean> {
  const before = await deps.mergeGroups.find(repoId, baseSha);
  return (
    before?.verdict === 'failed' || (before?.verdict === 'passed' && (await isShownAsPassed(deps, before)))
  );
}
