import { type Sleep, systemSleep } from '../clock.ts';

/** The pause after a query, as a share of the time that its answer took: so queries take 40 seconds of a minute at most. */
const PAUSE = 0.5;

/** Sends a query when the installation's queries before it are answered, and a pause after them is over. */
export type InPace = <T>(installation: number, send: () => Promise<T>) => Promise<T>;

/**
 * Lets queries that nobody waits for pass one after another. GitHub spends at most 60 seconds of a minute on an
 * installation's queries, by the time that its answers take (docs.github.com, "Rate limits and query limits for the
 * GraphQL API").
 */
export function createQueryPace(sleep: Sleep = systemSleep): InPace {
  const turns = new Map<number, Promise<unknown>>();
  return async (installation, send) => {
    const before = turns.get(installation);
    const answer = (async () => {
      await before;
      const began = performance.now();
      return { began, sent: send() };
    })();
    const turn = answer.then(async ({ began, sent }) => {
      await sent.catch(() => undefined);
      await sleep((performance.now() - began) * PAUSE);
    });
    turns.set(installation, turn);
    void turn.then(() => turns.get(installation) === turn && turns.delete(installation));
    return (await answer).sent;
  };
}
