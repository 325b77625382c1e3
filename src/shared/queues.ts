import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';

/** Work that waits for its turn. Each key has a queue of its own. */
export type Queues<Key> = ReturnType<typeof createQueues<Key>>;

/** @param atOnce How much of a queue is done at the same time. */
export function createQueues<Key>(atOnce: number) {
  const queues = new Map<Key, PQueue>();
  let people = 0;
  const count = (change: 1 | -1) => {
    people += change;
    for (const queue of queues.values()) queue.concurrency = people > 0 ? 1 : atOnce;
  };
  const queueOf = (key: Key) => {
    const known = queues.get(key);
    if (known) return known;
    const queue = new PQueue({ concurrency: people > 0 ? 1 : atOnce });
    queue.on('idle', () => void queues.delete(key));
    queues.set(key, queue);
    return queue;
  };
  return {
    /** Does the work with the highest priority first, and of the same priority in its order. */
    // Bound, because the queue would start it with the log context of the work before it.
    add: <T>(key: Key, work: () => Promise<T>, priority = 0): Promise<T> =>
      queueOf(key).add(AsyncResource.bind(work), { priority }),

    /** Does work that a person waits for. Until it ends, each queue does one thing at a time, so people come first. */
    async yieldTo<T>(work: () => Promise<T>): Promise<T> {
      count(1);
      try {
        return await work();
      } finally {
        count(-1);
      }
    },
  };
}
