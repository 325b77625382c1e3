import { AppError } from '../app-error.ts';
import { systemSleep } from '../clock.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import { mergeGroupContent, mergeObstacles } from './check-run-texts.ts';
import { currentRun } from './current-run.ts';
import { judgePull } from './judge.ts';
import type { Branches, JudgedGroup, MergeGroup, MergeGroups, PullRequest } from './ports.ts';
import type { SyncDeps } from './sync-check-run.ts';
import { writeCheckRun } from './write-check-run.ts';

export type MergeGroupDeps = SyncDeps & {
  mergeGroups: MergeGroups;
  branches: Branches;
};

/** Why a group may not merge, as a sentence; null if it may. */
type Obstacle = string | null;

const MOST_ROUNDS = 3;

/**
 * Makes GitHub show the verdict on a merge queue's group. The group passes only
 * if the pull request it was created for is approved, at its present head and
 * for the branch that the queue merges into, and the group it is built on didn't
 * fail. GitHub removes a pull request from the queue when it gets another
 * commit, so its present head is the one that was queued.
 *
 * @param options.replaceAttempt The attempt whose run GitHub no longer shows.
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function syncMergeGroup(
  deps: MergeGroupDeps,
  repo: RepositoryRef,
  group: MergeGroup,
  options: { replaceAttempt?: number | undefined } = {},
): Promise<{ passed: boolean }> {
  const at = { repo, repoId: group.repoId, head: group.head };
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const run = await currentRun(deps, at);
    const pull = await deps.pulls.get(repo, group.pr);
    const known = await deps.mergeGroups.find(group.repoId, group.head);
    const obstacle = earlierObstacle(known, pull) ?? (await findObstacle(deps, repo, group, pull));
    const passed = obstacle === null;
    const content = mergeGroupContent(deps.origins, group, { pull, obstacle });
    const state = `${content.status}:group:${content.conclusion}:${pull?.head ?? ''}`;
    await deps.mergeGroups.save({ ...group, passed, pullHead: known?.pullHead ?? pull?.head ?? '' });
    const replace = run !== null && run.attempt === options.replaceAttempt;
    const outcome = await writeCheckRun(deps, { at, run, content, state, replace });
    if (outcome !== 'pending' && outcome !== 'lost') return { passed };
  }
  throw new AppError('githubUnavailable', { cause: new Error("the group's run would not complete") });
}

/** An earlier verdict on this commit stays: it was about the head that its pull request had then. */
function earlierObstacle(known: JudgedGroup | null, pull: PullRequest | null): Obstacle {
  if (!known) return null;
  if (!known.passed) return mergeObstacles.failedBefore(known.pr);
  if (known.pullHead !== pull?.head) return mergeObstacles.headMoved(known.pr);
  return null;
}

async function findObstacle(
  deps: MergeGroupDeps,
  repo: RepositoryRef,
  group: MergeGroup,
  pull: PullRequest | null,
): Promise<Obstacle> {
  if (!pull?.open || pull.repo.id !== group.repoId) return mergeObstacles.notOpen(group.pr);
  if (pull.base !== group.base) return mergeObstacles.otherBase(group.pr, pull.base, group.base);
  const approvals = await deps.approvals.forHead(group.repoId, pull.head);
  if (!judgePull(pull, approvals).approval) return mergeObstacles.notApproved(group.pr, pull.head);
  const before = await findGroupBefore(deps, repo, group);
  if (before === 'unknown') return mergeObstacles.unknownBase();
  if (before && !before.passed) return mergeObstacles.baseFailed(before.pr);
  return null;
}

const LOOK_EVERY_MS = 250;
const LOOKS = 12;

/**
 * The group that this one is built on; null if it is built on the branch
 * itself. Webhooks of groups arrive close together, and in any order, so this
 * waits a few seconds for one that isn't known yet.
 */
async function findGroupBefore(
  { mergeGroups, branches, sleep = systemSleep }: MergeGroupDeps,
  repo: RepositoryRef,
  { repoId, baseSha, base }: MergeGroup,
): Promise<{ pr: number; passed: boolean } | null | 'unknown'> {
  const found = await mergeGroups.find(repoId, baseSha);
  if (found) return found;
  const tip = await branches.tip(repo, base);
  if (tip === null || tip === baseSha) return null;
  for (let look = 0; look < LOOKS; look += 1) {
    await sleep(LOOK_EVERY_MS);
    const later = await mergeGroups.find(repoId, baseSha);
    if (later) return later;
  }
  return 'unknown';
}
