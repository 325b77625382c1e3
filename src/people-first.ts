/** How long the work of a webhook waits at most: people who approve all the time must not keep a check from coming. */
const PATIENCE_MS = 1_000;

/** Lets an approval, which a person waits for, go before the webhooks that share its process and record store. */
export type PeopleFirst = {
  /** Does what a person waits for. */
  first<T>(work: () => Promise<T>): Promise<T>;
  /** Whether somebody waits now. */
  isWaiting(): boolean;
  /** Resolves once no person waits, at the latest after a second. */
  turn(): Promise<void>;
};

export function createPeopleFirst(patienceMs = PATIENCE_MS): PeopleFirst {
  let waiting = 0;
  const others = new Set<() => void>();
  return {
    async first(work) {
      waiting += 1;
      try {
        return await work();
      } finally {
        waiting -= 1;
        if (waiting === 0) for (const goOn of others) goOn();
      }
    },
    isWaiting: () => waiting > 0,
    async turn() {
      if (waiting === 0) return;
      await new Promise<void>((resolve) => {
        const goOn = () => {
          clearTimeout(timer);
          others.delete(goOn);
          resolve();
        };
        const timer = setTimeout(goOn, patienceMs);
        others.add(goOn);
      });
    },
  };
}
