/** What the emulator does not say of the App's check runs: which are on a commit, and which GitHub gave up. */
export type RunBook = {
  made(head: string, run: KnownRun): void;
  on(head: string): readonly KnownRun[];
  /** GitHub alone can complete a run as `stale`; the emulator does not know the word. */
  markStale(id: number): void;
  unmarkStale(id: number): void;
  isStale(id: number): boolean;
};

/** A run's id, and the full name of the repository in which it was made. */
export type KnownRun = { repo: string; id: number };

/** How the emulator stores a stale run: the layer reads it back as `stale`. */
export const STALE_STANDS_AS = 'cancelled';

export function createRunBook(): RunBook {
  const byHead = new Map<string, KnownRun[]>();
  const stale = new Set<number>();
  return {
    made: (head, run) => void byHead.set(head, [...(byHead.get(head) ?? []), run]),
    on: (head) => byHead.get(head) ?? [],
    markStale: (id) => void stale.add(id),
    unmarkStale: (id) => void stale.delete(id),
    isStale: (id) => stale.has(id),
  };
}
