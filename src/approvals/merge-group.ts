import { ensureRun, knownRun } from './ensure-run.ts';
import { type Places, pullUrl } from './links.ts';
import type { CheckRunContent, MergeGroup, MergeGroups, PullRequest, RepositoryRef } from './ports.ts';
import type { ReportDeps, ReportMode } from './report.ts';

export type MergeGroupDeps = ReportDeps & { mergeGroups: MergeGroups };

/** Why a group may not merge; null where it may. */
type Obstacle = string | null;

/**
 * Gives the head of a merge queue's group its run. It succeeds only where the
 * pull request that the group is for is approved, at its present head and for
 * the branch that the queue merges into, and the group that this one is built on
 * did not fail. A pull request that gets another commit leaves the queue, so its
 * present head is the one that was queued.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`; calling again is safe.
 */
export async function reportMergeGroup(
  deps: MergeGroupDeps,
  repo: RepositoryRef,
  group: MergeGroup,
  mode: ReportMode = {},
): Promise<{ passed: boolean }> {
  const at = { repo, repoId: group.repoId, head: group.head };
  const run = await knownRun(deps, at);
  const pull = await deps.pulls.get(repo, group.pr);
  const obstacle = await obstacleOf(deps, group, pull);
  const content = contentOf(deps.places, group, pull, obstacle);
  const state = `group:${content.conclusion}:${pull?.head ?? ''}`;
  await deps.mergeGroups.save(group, obstacle === null);
  await ensureRun(deps, { at, run, content, state, renew: mode.renew });
  return { passed: obstacle === null };
}

async function obstacleOf(
  deps: MergeGroupDeps,
  group: MergeGroup,
  pull: PullRequest | null,
): Promise<Obstacle> {
  if (!pull?.open || pull.repo.id !== group.repoId) return `#${group.pr} is not an open pull request.`;
  if (pull.base !== group.base) return `#${group.pr} goes into \`${pull.base}\`, not into \`${group.base}\`.`;
  const approvals = await deps.approvals.ofHead(group.repoId, pull.head);
  const isApproved = approvals.some(({ pr, base }) => pr === pull.number && base === pull.base);
  if (!isApproved) return `Nobody has approved commit \`${pull.head.slice(0, 8)}\` of #${group.pr}.`;
  const before = await deps.mergeGroups.find(group.repoId, group.baseSha);
  if (before && !before.passed) return `#${before.pr}, which this group is built on, may not merge.`;
  return null;
}

function contentOf(
  places: Places,
  group: MergeGroup,
  pull: PullRequest | null,
  obstacle: Obstacle,
): CheckRunContent {
  const detailsUrl = pull ? pullUrl(places, pull) : places.publicUrl;
  if (obstacle === null) {
    return {
      status: 'completed',
      conclusion: 'success',
      detailsUrl,
      title: `#${group.pr} is approved`,
      summary: `#${group.pr} was approved at \`${pull?.head.slice(0, 8)}\` for \`${group.base}\`.`,
    };
  }
  return {
    status: 'completed',
    conclusion: 'failure',
    detailsUrl,
    title: `#${group.pr} may not merge`,
    summary: `${obstacle} Approve the pull request, then add it to the queue again.`,
  };
}
