import { nameOf } from './describe.ts';
import { NotNow, type PullRef, type Reading } from './read-pull.ts';
import { PAUSE_MS } from './wait.ts';

type Read = () => Promise<Reading>;
/** `read` is null after a refusal: what the reader needs, such as the token, can be another one then. */
type Kept = { read: Promise<Read> | null; last: Promise<Reading>; until: number };

const MOST_KEPT = 100;

/**
 * Reads each pull request at most once in 30 seconds, however often an agent asks: until then, the last answer or refusal
 * is repeated, and longer if GitHub says so.
 *
 * @param open Makes the function that reads a pull request.
 */
export function createSharedReads(
  open: (ref: PullRef) => Promise<Read>,
  elapsed: () => number,
): (ref: PullRef) => Promise<Reading> {
  const kept = new Map<string, Kept>();
  return (ref) => {
    const name = nameOf(ref).toLowerCase();
    const known = kept.get(name);
    if (known && elapsed() < known.until) return known.last;
    const read = known?.read ?? open(ref);
    const next: Kept = { read, last: read.then((ask) => ask()), until: elapsed() + PAUSE_MS };
    kept.delete(name);
    kept.set(name, next);
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest);
    next.last.catch((error: unknown) => {
      if (error instanceof NotNow) next.until = elapsed() + Math.max(PAUSE_MS, error.waitMs);
      else next.read = null;
    });
    return next.last;
  };
}
