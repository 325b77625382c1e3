import type { HeadRef } from './ensure-run.ts';
import type { GitHubRun, RunRecord } from './ports.ts';
import { reportOrTell, type TrackDeps } from './track.ts';

/**
 * Compares the run that GitHub shows on a head with the one that we know of, and
 * gives the head a new one where they differ: somebody asked for a re-run, or
 * GitHub let it go stale, and the webhook was lost.
 */
export async function compareRun(deps: TrackDeps, at: HeadRef): Promise<void> {
  try {
    const known = await deps.runs.latest(at.repoId, at.head);
    // What is being made, or was given up, is the business of whoever reports the head.
    if (!known || known.checkRunId === 0) return await reportOrTell(deps, at);
    const shown = await deps.checkRuns.find(at.repo, at.head);
    await reportOrTell(deps, at, undefined, isWhatWeKnow(shown, known) ? {} : { renew: known.attempt });
  } catch (error) {
    deps.onFault(error, { repository: `${at.repo.owner}/${at.repo.name}`, head: at.head });
  }
}

/** Compares the runs that were compared longest ago. */
export async function compareRuns(deps: TrackDeps, most: number): Promise<void> {
  for (const at of await deps.openPulls.toCompare(most, deps.clock.now())) await compareRun(deps, at);
}

function isWhatWeKnow(shown: GitHubRun | null, known: RunRecord): boolean {
  if (shown?.id !== known.checkRunId) return false;
  const isDone = known.state.startsWith('completed');
  return isDone ? shown.conclusion === 'success' : shown.status === 'in_progress';
}

const ONCE_IN_MS = 60_000;

/** For when somebody looks at a head: compares its run, behind their back and at most once a minute. */
export function createRestore(deps: TrackDeps): (at: HeadRef) => void {
  const done = new Map<string, number>();
  return (at) => {
    const now = deps.clock.now().getTime();
    for (const [key, until] of done) if (until <= now) done.delete(key);
    const key = `${at.repoId}:${at.head}`;
    if (done.has(key)) return;
    done.set(key, now + ONCE_IN_MS);
    void compareRun(deps, at);
  };
}
