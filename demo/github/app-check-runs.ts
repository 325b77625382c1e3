/** A run's id, and the full name of its repository. */
type AppCheckRun = { repo: string; id: number };

/** The emulator stores a stale run with this conclusion; we show it as `stale`. */
export const STORED_STALE_CONCLUSION = 'cancelled';

export type AppCheckRuns = ReturnType<typeof createAppCheckRuns>;

/** Answers about the App's check runs that the emulator lacks: which a commit has, and which went stale. */
export function createAppCheckRuns() {
  const byHead = new Map<string, AppCheckRun[]>();
  const stale = new Set<number>();
  const completed = new Set<string>();
  return {
    add: (head: string, run: AppCheckRun) => void byHead.set(head, [...(byHead.get(head) ?? []), run]),
    of: (head: string): readonly AppCheckRun[] => byHead.get(head) ?? [],
    /** Notes that a run of this name completed in the repository. */
    addCompleted: (repo: string, name: string) => void completed.add(`${repo} ${name}`),
    isCompleted: (repo: string, name: string) => completed.has(`${repo} ${name}`),
    /** Only GitHub can complete a run as `stale`; the emulator doesn't know that conclusion. */
    markStale: (id: number) => void stale.add(id),
    unmarkStale: (id: number) => void stale.delete(id),
    isStale: (id: number) => stale.has(id),
  };
}
