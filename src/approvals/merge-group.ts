import { AppError } from '../app-error.ts';
import { ensureRun, knownRun } from './ensure-run.ts';
import { approves } from './evaluate.ts';
import { type Places, pullUrl } from './links.ts';
import type {
  Branches,
  CheckRunContent,
  JudgedGroup,
  MergeGroup,
  MergeGroups,
  PullRequest,
  RepositoryRef,
} from './ports.ts';
import type { ReportDeps, ReportMode } from './report.ts';

export type MergeGroupDeps = ReportDeps & { mergeGroups: MergeGroups; branches: Branches };

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
  for (let round = 0; ; round += 1) {
    const run = await knownRun(deps, at);
    const pull = await deps.pulls.get(repo, group.pr);
    const known = await deps.mergeGroups.find(group.repoId, group.head);
    const obstacle = obstacleBefore(known, pull) ?? (await obstacleOf(deps, repo, group, pull));
    const passed = obstacle === null;
    const content = contentOf(deps.places, group, pull, obstacle);
    const state = `${content.status}:group:${content.conclusion}:${pull?.head ?? ''}`;
    await deps.mergeGroups.save({ ...group, passed, pullHead: known?.pullHead ?? pull?.head ?? '' });
    const renew = round === 0 && Boolean(mode.renew);
    const outcome = await ensureRun(deps, { at, run, content, state, renew });
    if (outcome !== 'opened' && outcome !== 'lost') return { passed };
    if (round === MOST_ROUNDS) {
      throw new AppError('githubUnavailable', { cause: new Error('the group’s run would not complete') });
    }
  }
}

const MOST_ROUNDS = 3;

/** What was said of this commit once stays: it was made of the head that its pull request had then. */
function obstacleBefore(known: JudgedGroup | null, pull: PullRequest | null): Obstacle {
  if (!known) return null;
  if (!known.passed) return `#${known.pr} could not merge when this group was made.`;
  if (known.pullHead !== pull?.head) return `#${known.pr} has another commit than when this group was made.`;
  return null;
}

async function obstacleOf(
  deps: MergeGroupDeps,
  repo: RepositoryRef,
  group: MergeGroup,
  pull: PullRequest | null,
): Promise<Obstacle> {
  if (!pull?.open || pull.repo.id !== group.repoId) return `#${group.pr} is not an open pull request.`;
  if (pull.base !== group.base) return `#${group.pr} goes into \`${pull.base}\`, not into \`${group.base}\`.`;
  const approvals = await deps.approvals.ofHead(group.repoId, pull.head);
  const isApproved = approvals.some((approval) => approves(approval, pull));
  if (!isApproved) return `Nobody has approved commit \`${pull.head.slice(0, 8)}\` of #${group.pr}.`;
  const before = await groupBefore(deps, repo, group);
  if (before === 'unknown') return 'It is built on a group that OTP Guard has not seen.';
  if (before && !before.passed) return `#${before.pr}, which this group is built on, may not merge.`;
  return null;
}

const LOOK_EVERY_MS = 250;
const LOOKS = 12;

/**
 * The group that this one is built on; null where it is built on the branch
 * itself. Webhooks of groups come close together, and in any order.
 */
async function groupBefore(
  { mergeGroups, branches }: MergeGroupDeps,
  repo: RepositoryRef,
  { repoId, baseSha, base }: MergeGroup,
): Promise<{ pr: number; passed: boolean } | null | 'unknown'> {
  const found = await mergeGroups.find(repoId, baseSha);
  if (found) return found;
  const tip = await branches.tip(repo, base);
  if (tip === null || tip === baseSha) return null;
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const later = await mergeGroups.find(repoId, baseSha);
    if (later) return later;
  }
  return 'unknown';
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
