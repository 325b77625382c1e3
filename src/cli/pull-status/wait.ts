import { NotNow, type Reading } from './read-pull.ts';

/** A person has approved long before GitHub notices: a shorter pause would only cost requests. */
export const PAUSE_MS = 30_000;
/** Agents that began together don't stay together. */
const JITTER_MS = 3_000;

export type WaitDeps = {
  read(): Promise<Reading>;
  sleep(ms: number): Promise<unknown>;
  /** Milliseconds that no change of the system's time moves. */
  elapsed(): number;
  /** From 0 to 1. */
  random(): number;
};

export type Waiting = {
  /** How long; 0 reads once. */
  ms: number;
  /** Called before each pause with a sentence if something changed or failed. */
  onNews?(sentence: string): void;
  /** Called after each pause. */
  onPause?(): void;
};

/**
 * Reads until the check passed or was denied, the pull request is closed, or the time has ended. It follows a head that
 * moves.
 *
 * @returns The last reading, and the head of the first one if it moved.
 * @throws NotNow if nothing could be read in time; UsageError if GitHub won't answer.
 */
export async function waitForEnd(
  { read, sleep, elapsed, random }: WaitDeps,
  { ms, onNews, onPause }: Waiting,
): Promise<Reading & { movedFrom: string | null }> {
  const until = elapsed() + ms;
  let last: Reading | null = null;
  let firstHead: string | null = null;
  for (;;) {
    const reading = await read().catch((error: unknown) => {
      if (error instanceof NotNow) return error;
      throw error;
    });
    if (!(reading instanceof NotNow)) {
      if (last && last.head !== reading.head) onNews?.(`A new head came: ${reading.head.slice(0, 8)}.`);
      last = reading;
      firstHead ??= reading.head;
    }
    const least = Math.max(PAUSE_MS, reading instanceof NotNow ? reading.waitMs : 0);
    const left = until - elapsed();
    if (left < least || (last === reading && isEnd(reading))) {
      if (!last) throw reading;
      return { ...last, movedFrom: firstHead === last.head ? null : firstHead };
    }
    if (reading instanceof NotNow) onNews?.(`${reading.message} Trying again.`);
    await sleep(Math.min(least + random() * JITTER_MS, left));
    onPause?.();
  }
}

const isEnd = ({ state, pull }: Reading) => state === 'passed' || state === 'denied' || pull !== 'open';
