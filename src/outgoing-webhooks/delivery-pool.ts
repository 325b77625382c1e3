import type { Hook } from './ports.ts';

const AT_ONCE = 32;
/** The others are always free for organizations whose receivers answer soon. */
const SLOW_AT_ONCE = 16;

/** Works on a hook, and marks after each try whether its receiver was slow. Never rejects. */
type Work = (hook: Hook, mark: (isSlow: boolean) => void) => Promise<void>;

/**
 * Decides which organization's deliveries run: one of each at a time, and those whose receivers were slow the last time
 * in no more than half of the places, so that they only hold up each other.
 */
export function createDeliveryPool(work: Work) {
  const running = new Map<number, Promise<void>>();
  const slow = new Set<number>();
  let waiting: Hook[] = [];

  const mayStart = ({ org: { orgId } }: Hook) => {
    if (running.has(orgId) || running.size >= AT_ONCE) return false;
    return !slow.has(orgId) || [...running.keys()].filter((id) => slow.has(id)).length < SLOW_AT_ONCE;
  };
  const start = async (hook: Hook) => {
    const { orgId } = hook.org;
    await work(hook, (isSlow) => void (isSlow ? slow.add(orgId) : slow.delete(orgId)));
    running.delete(orgId);
    startAll();
  };
  const startAll = () => {
    for (let next = waiting.find(mayStart); next; next = waiting.find(mayStart)) {
      const started = next;
      waiting = waiting.filter((hook) => hook !== started);
      running.set(started.org.orgId, start(started));
    }
  };
  return {
    /** Starts those that may, and the others as soon as they may. They replace those that still wait. */
    offer(hooks: Hook[]): void {
      waiting = hooks.filter(({ org }) => !running.has(org.orgId));
      startAll();
    },
    /** Starts no more, and resolves when those that run have ended. */
    async stop(): Promise<void> {
      waiting = [];
      await Promise.all(running.values());
    },
  };
}
