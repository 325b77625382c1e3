import { setTimeout as delay } from 'node:timers/promises';

/** Ample on a busy machine, and short enough to tell a product that hangs. Long forms of tests keep it busier. */
export const PATIENCE_MS = (process.env.SOAK ? 120_000 : 45_000) * Number(process.env.TEST_PACE ?? 1);
/** For what the product does at its next try, every 15 or 30 seconds, and for processes that start. */
export const LONG_PATIENCE_MS = 3 * PATIENCE_MS;
/** Between two tries: short at first, then longer, because each try costs the product time too. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/** Waits until `find` finds something, and returns it; fails after a while with the name of what it waited for. */
export async function until<T>(
  what: string,
  find: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.2, LONGEST_PAUSE_MS)) {
    const found = await find();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Waited too long for ${what}.`);
    await delay(pause);
  }
}
