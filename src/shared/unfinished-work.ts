/** Work that nobody waits for any more, for example a webhook after its answer. A process that ends finishes it first. */
export type UnfinishedWork = {
  /** Adds this work until it's over, also if it fails. */
  track(work: Promise<unknown>): void;
  /** Resolves when none is left, also of what was added meanwhile. Never rejects. */
  over(): Promise<void>;
};

export function createUnfinishedWork(): UnfinishedWork {
  const unfinished = new Set<Promise<unknown>>();
  return {
    track(work) {
      const isOver = () => void unfinished.delete(tracked);
      const tracked = work.then(isOver, isOver);
      unfinished.add(tracked);
    },
    async over() {
      while (unfinished.size > 0) await Promise.all(unfinished);
    },
  };
}
