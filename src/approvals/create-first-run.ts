import { FAILED } from './current-run.ts';
import type { HeadRef, PullRequest } from './ports.ts';
import { readHead } from './read-head.ts';
import { decide, type SyncDeps, toDesired } from './sync-check-run.ts';
import { createRun } from './write-check-run.ts';

/**
 * Creates the run of a head that has none yet, for an open pull request with it. No matter what else is open, a head
 * without an approval waits, so no list has to come before the run. The claim keeps a second process from creating
 * another one. Everything else is for `syncCheckRun`, which the caller calls next: it looks for what this couldn't know.
 *
 * @returns Whether the head had no run before, so that there's no success on it.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function createFirstRun(deps: SyncDeps, at: HeadRef, pull: PullRequest): Promise<boolean> {
  const snapshot = { pulls: [pull], run: null, readFrom: deps.clock.now() };
  const reading = readHead(deps, at, { snapshot, fromCaller: [] });
  reading.catch(() => undefined);
  // Meanwhile. A head that has a run can't be claimed.
  const claim = await deps.checkRunRecords.claim(at.repoId, at.head, 1);
  if (!claim) return false;
  const giveUp = () => deps.checkRunRecords.save(claim, 0, FAILED.overNothing);
  const head = await reading.catch(async (error: unknown) => {
    await giveUp();
    throw error;
  });
  const decision = head && decide(deps, at, head);
  if (!decision || decision.content.status === 'completed') {
    await giveUp();
    return false;
  }
  await createRun(deps, toDesired(at, { head, decision, options: {} }), claim);
  return true;
}
