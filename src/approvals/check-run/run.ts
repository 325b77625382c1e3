import { AppError } from '../../shared/app-error.ts';
import { type Clock, elapsed, type Sleep, systemSleep } from '../../shared/clock.ts';
import type { CheckRunRecord, CheckRunRecords, HeadRef } from '../ports.ts';

export type RunTimes = {
  /** How long an attempt belongs to the process that claimed it. */
  claimMs: number;
  /** How long a caller waits for that process. */
  lookForMs: number;
  /** How long after the reading began a verdict may make a run succeed. */
  verdictMs: number;
};

export type ReadRunDeps = {
  checkRunRecords: CheckRunRecords;
  clock: Clock;
  sleep?: Sleep;
} & Partial<RunTimes>;

/** A process that claimed an attempt has this long to create the run. After that, others check whether it exists. */
export const CLAIM_MS = 30_000;
const POLL_MS = 50;
const POLL_FOR_MS = 5_000;

/**
 * Reads the head's newest run. Waits for a run that another process is creating; a run without an id was given up.
 *
 * @throws AppError `runBeingCreated` if the other process takes too long.
 */
export async function readRun(deps: ReadRunDeps, at: HeadRef): Promise<CheckRunRecord | null> {
  const { clock, claimMs = CLAIM_MS, lookForMs = POLL_FOR_MS, sleep = systemSleep } = deps;
  const began = elapsed(clock);
  for (let slept = 0; ; slept += POLL_MS) {
    const run = await deps.checkRunRecords.latest(at.repoId, at.head);
    if (run?.phase !== 'creating') return run;
    // A run that was claimed in the future comes from a clock that was set back since.
    if (Math.abs(clock.now().getTime() - run.since.getTime()) > claimMs) return run;
    if (slept >= lookForMs || elapsed(clock) - began >= lookForMs) throw new AppError('runBeingCreated');
    await sleep(POLL_MS);
  }
}
