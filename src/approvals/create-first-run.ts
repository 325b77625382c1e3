import { FAILED } from './current-run.ts';
import type { HeadRef, PullRequest } from './ports.ts';
import { readHead } from './read-head.ts';
import { decide, type SyncDeps, toDesired } from './sync-check-run.ts';
import { createRun } from './write-check-run.ts';

/**
 * Creates the run of a head that has none yet, for an open pull request with it. No matter what else is open, a head's
 * first run waits, so no list has to come before it. The claim keeps a second process from creating another one.
 * Everything else is for `syncCheckRun`, which the caller calls next: it looks for what this couldn't know, and completes
 * the run if the head is approved already.
 *
 * @returns Whether the head had no run before and goes on waiting, so that there's no success on it.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function createFirstRun(deps: SyncDeps, at: HeadRef, pull: PullRequest): Promise<boolean> {
  const snapshot = { pulls: [pull], run: null, readFrom: deps.clock.now() };
  // A head that has a run can't be claimed.
  const claiming = deps.checkRunRecords.claim(at.repoId, at.head, 1);
  const reading = readHead(deps, at, { snapshot, fromCaller: [] });
  reading.catch(() => undefined);
  const claim = await claiming;
  if (!claim) return false;
  const giveUp = () => deps.checkRunRecords.save(claim, 0, FAILED.overNothing);
  const head = await reading.catch(async (error: unknown) => {
    await giveUp();
    throw error;
  });
  if (!head) {
    await giveUp();
    return false;
  }
  const decision = decide(deps, at, head);
  await createRun(deps, toDesired(at, { head, decision, options: {} }), claim);
  return decision.content.status === 'in_progress';
}
