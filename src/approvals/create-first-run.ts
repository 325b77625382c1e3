import type { HeadRef, PullRequest } from './ports.ts';
import { readHead } from './read-head.ts';
import { decide, type SyncDeps, writeDecision } from './sync-check-run.ts';

/**
 * Creates the run of a head that has none yet, for an open pull request with it. No matter what else is open, a head
 * without an approval waits, so no list has to come before the run. The claim keeps a second process from creating
 * another one. Everything else is for `syncCheckRun`, which the caller calls next: it looks for what this couldn't know.
 *
 * @returns Whether the head had no run before, so that there's no success on it.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function createFirstRun(deps: SyncDeps, at: HeadRef, pull: PullRequest): Promise<boolean> {
  const [known, head] = await Promise.all([
    deps.checkRunRecords.latest(at.repoId, at.head),
    readHead(deps, at, {
      snapshot: { pulls: [pull], run: null, readFrom: deps.clock.now() },
      fromCaller: [],
    }),
  ]);
  if (known || !head) return false;
  const decision = decide(deps, at, head);
  if (decision.content.status === 'completed') return false;
  return (await writeDecision(deps, at, { head, decision, options: {} })) === 'first';
}
