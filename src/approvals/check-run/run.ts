import { AppError } from '../../shared/app-error.ts';
import { elapsed, systemSleep } from '../../shared/clock.ts';
import type { HeadDeps } from '../deps.ts';
import type { CheckRunRecord, HeadRef, RunState } from '../ports.ts';

/** A process that claimed an attempt has this long to create the run. After that, others check whether it exists. */
export const CLAIM_MS = 30_000;
const POLL_MS = 50;
const POLL_FOR_MS = 5_000;

/**
 * Reads the head's newest run. Waits for a run that another process is creating; a run without an id was given up.
 *
 * @throws AppError `runBeingCreated` if the other process takes too long.
 */
export async function readRun(deps: HeadDeps, headRef: HeadRef): Promise<CheckRunRecord | null> {
  const { clock, claimMs = CLAIM_MS, lookForMs = POLL_FOR_MS, sleep = systemSleep } = deps;
  const began = elapsed(clock);
  for (let slept = 0; ; slept += POLL_MS) {
    const run = await deps.checkRunRecords.latest(headRef.repoId, headRef.head);
    if (run?.phase !== 'creating') return run;
    // A run that was claimed in the future comes from a clock that was set back since.
    if (Math.abs(clock.now().getTime() - run.since.getTime()) > claimMs) return run;
    if (slept >= lookForMs || elapsed(clock) - began >= lookForMs) throw new AppError('runBeingCreated');
    await sleep(POLL_MS);
  }
}

type RunPhase = RunState['phase'];

/**
 * The phases that may follow each phase of an attempt:
 *
 * - `creating`: a process claimed the attempt, and GitHub has no run of it yet
 * - `pending`: GitHub shows the run, and nobody has tried to complete it
 * - `prepared`: GitHub shows the run, pending, and the process that created it is about to complete it with a success
 * - `completing`: a process asked GitHub to complete the run, and doesn't know the answer
 * - `completed`: GitHub confirmed it
 * - `failed`: the run couldn't be created, and the next attempt replaces this one
 *
 * A pending run is only ever completed. Every other change needs a new attempt.
 */
const NEXT: Record<RunPhase, RunPhase[]> = {
  creating: ['pending', 'prepared', 'completed', 'failed'],
  pending: ['completing'],
  prepared: ['completing'],
  completing: ['completing', 'completed'],
  completed: ['completing'],
  failed: [],
};

/**
 * The state of a run after a step.
 *
 * @throws Error if no run takes this step: a mistake in our code.
 */
export function nextState(run: CheckRunRecord, next: RunState): RunState {
  if (!NEXT[run.phase].includes(next.phase)) throw new Error(`a ${run.phase} run can't be ${next.phase}`);
  return next;
}

/** The fingerprint of a run that shows a verdict in the minimal text, because GitHub refused the whole one. */
export const minimalOf = (fingerprint: string): string => `minimal ${fingerprint}`;

/** A run with the minimal text is written again after this time: GitHub may take the whole text by then. */
const MINIMAL_MS = 60 * 60_000;

/** Tells whether the run already shows this verdict, in the whole text if it's time to try that again. */
export function showsAlready(
  run: Pick<CheckRunRecord, 'phase' | 'fingerprint' | 'since'>,
  { phase, fingerprint }: Omit<RunState, 'mayBeGreen'>,
  now: Date,
): boolean {
  if (run.phase !== phase) return false;
  if (run.fingerprint === fingerprint) return true;
  return run.fingerprint === minimalOf(fingerprint) && now.getTime() - run.since.getTime() < MINIMAL_MS;
}

/** GitHub marks an incomplete run as stale after 14 days ("Status checks"), and sends no webhook. */
const REPLACED_AFTER_MS = 13 * 24 * 60 * 60 * 1000;

/** Tells whether a pending run is so old that GitHub will soon mark it as stale: replace it before that. */
export const isAboutToGoStale = ({ since }: Pick<CheckRunRecord, 'since'>, now: Date): boolean =>
  now.getTime() - since.getTime() > REPLACED_AFTER_MS;
