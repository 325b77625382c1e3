import { AsyncResource } from 'node:async_hooks';
import PQueue from 'p-queue';

/** Work that waits for its turn. Each key has a queue of its own. */
export type Queues<Key> = ReturnType<typeof createQueues<Key>>;

/** @param atOnce How much of a queue is done at the same time. */
export function createQueues<Key>(atOnce: number) {
  const queues = new Map<Key, PQueue>();
  // How many wait for work that leaves a queue nothing to do, and for work that leaves it one thing at a time.
  const waiting: [number, number] = [0, 0];
  const setPace = (queue: PQueue) => {
    queue.concurrency = waiting[1] > 0 ? 1 : atOnce;
    if (waiting[0] > 0) queue.pause();
    else queue.start();
  };
  const count = (left: 0 | 1, change: 1 | -1) => {
    waiting[left] += change;
    for (const queue of queues.values()) setPace(queue);
  };
  const queueOf = (key: Key) => {
    const known = queues.get(key);
    if (known) return known;
    const queue = new PQueue();
    setPace(queue);
    queue.on('idle', () => void queues.delete(key));
    queues.set(key, queue);
    return queue;
  };
  return {
    /** Does the work with the highest priority first, and of the same priority in its order. */
    // Bound, because the queue would start it with the log context of the work before it.
    add: <T>(key: Key, work: () => Promise<T>, priority = 0): Promise<T> =>
      queueOf(key).add(AsyncResource.bind(work), { priority }),

    /**
     * Does work that somebody waits for. Until it ends, each queue begins nothing new, or, if `left` is 1, does one thing
     * at a time.
     */
    async yieldTo<T>(left: 0 | 1, work: () => Promise<T>): Promise<T> {
      count(left, 1);
      try {
        return await work();
      } finally {
        count(left, -1);
      }
    },
  };
}
