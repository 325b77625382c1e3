import { AsyncResource } from 'node:async_hooks';

/** Work that waits for its turn. Each key has a queue of its own. */
export type Queues<Key> = ReturnType<typeof createQueues<Key>>;

/** Keeps nothing of work that has begun, which can hold a webhook or an answer: p-queue keeps up to half of all of it. */
type Queue = { running: number; waiting: { priority: number; begin(): void }[] };

/** @param atOnce How much of a queue is done at the same time. */
export function createQueues<Key>(atOnce: number) {
  const queues = new Map<Key, Queue>();
  // The number of waits for work that leaves a queue nothing to do, and for work that leaves it one thing at a time.
  const yields: [number, number] = [0, 0];
  const mostNow = () => {
    if (yields[0] > 0) return 0;
    return yields[1] > 0 ? 1 : atOnce;
  };
  const beginNext = (queue: Queue) => {
    while (queue.running < mostNow()) {
      const next = queue.waiting.shift();
      if (!next) return;
      queue.running += 1;
      next.begin();
    }
  };
  const count = (left: 0 | 1, change: 1 | -1) => {
    yields[left] += change;
    for (const queue of queues.values()) beginNext(queue);
  };
  const endOne = (key: Key, queue: Queue) => {
    queue.running -= 1;
    beginNext(queue);
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(key);
  };
  return {
    /** Does the work with the highest priority first, and of the same priority in its order. */
    add: <T>(key: Key, work: () => Promise<T>, priority = 0): Promise<T> =>
      new Promise((resolve, reject) => {
        const queue = queues.get(key) ?? { running: 0, waiting: [] };
        queues.set(key, queue);
        const run = async () => {
          try {
            resolve(await work());
          } catch (error) {
            reject(error);
          } finally {
            endOne(key, queue);
          }
        };
        // Without it, the work would begin with the log context of the work before it. `AsyncResource.bind` takes 2 kB.
        const context = new AsyncResource('turn');
        const begin = () => void context.runInAsyncScope(run);
        const before = queue.waiting.findLastIndex((other) => other.priority >= priority);
        queue.waiting.splice(before + 1, 0, { priority, begin });
        beginNext(queue);
      }),

    /** Tells whether work in this queue would begin now. */
    hasRoom(key: Key): boolean {
      const queue = queues.get(key);
      return mostNow() > (queue?.running ?? 0);
    },

    /**
     * Does work that a person waits for. Until it ends, each queue begins nothing new, or, if `left` is 1, does one
     * thing at a time.
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
