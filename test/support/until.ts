import { setTimeout as delay } from 'node:timers/promises';

/** Generous, because it costs nothing when the condition comes true, and a busy machine is slow. */
const PATIENCE_MS = 45_000;
const EVERY_MS = 20;

/** Waits until `look` finds something, and returns it; fails after a while with the name of what it waited for. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Waited too long for ${what}.`);
    await delay(EVERY_MS);
  }
}
