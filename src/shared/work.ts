import { AppError } from './app-error.ts';

/**
 * Waits for work, but no longer than `ms` after it last called `onProgress`. The work itself can't be ended from here and
 * may continue.
 *
 * @throws AppError `tookTooLong`.
 */
export async function inTime<T>(ms: number, work: (onProgress: () => void) => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('tookTooLong')), ms);
  });
  try {
    return await Promise.race([work(() => timer?.refresh()), late]);
  } finally {
    clearTimeout(timer);
  }
}

export const isTooLate = (error: unknown) => error instanceof AppError && error.code === 'tookTooLong';

/** The same work, of which only one round runs at a time; a call during a round gets that round's promise. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** The same work, done once for each input: a later call with an equal one gets the first one's promise. */
export function onceForEach<Input extends unknown[], Output>(
  work: (...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  const known = new Map<string, Promise<Output>>();
  return (...input) => {
    const key = JSON.stringify(input);
    const answer = known.get(key) ?? work(...input);
    known.set(key, answer);
    return answer;
  };
}

/**
 * Does the work for one item after the other, such as the losses of all organizations. An item that fails keeps no
 * other from its turn.
 *
 * @throws The first failure, after each item had its turn.
 */
export async function inTurn<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Gets the failures of work whose caller continues, each with the repository that it was about. */
export type SyncFailures = {
  onSyncFailed(error: unknown, target: { repository: string; head?: string }): void;
};

/** Does the work. A failure goes to `onSyncFailed`, and the caller continues: undefined is the answer then. */
export async function attempt<T>(
  { onSyncFailed }: SyncFailures,
  target: { repository: string; head?: string },
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    onSyncFailed(error, target);
    return undefined;
  }
}

/** Work that nobody waits for any more, for example a webhook after its answer. A process that ends finishes it first. */
export function createUnfinishedWork() {
  const unfinished = new Set<Promise<unknown>>();
  return {
    /** Adds this work until it ends or fails. */
    track(work: Promise<unknown>): void {
      const isOver = () => void unfinished.delete(tracked);
      const tracked = work.then(isOver, isOver);
      unfinished.add(tracked);
    },
    /** Resolves when no work is left, including work that was added in the meantime. Never rejects. */
    async over(): Promise<void> {
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
}

/** Lets other work of this process run before a long computation continues. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
