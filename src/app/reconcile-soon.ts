/** Long enough to gather a burst of dropped webhooks. */
const SOON_MS = 1_000;
/** Nobody signed what triggers these rounds, so they are rare enough for GitHub's limits. */
const PAUSE_MS = 30_000;

/** Asks for rounds that aren't planned. After each call, a round begins within `PAUSE_MS`. */
export type ReconcileSoon = { request(): void; stop(): void };

export function createReconcileSoon(reconcileNext: () => unknown): ReconcileSoon {
  let isWanted = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isWanted) return;
      isWanted = false;
      reconcileNext();
      wait(PAUSE_MS);
    }, ms);
  };
  return {
    request() {
      isWanted = true;
      if (!timer) wait(SOON_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
