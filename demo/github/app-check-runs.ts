/** Facts about the App's check runs that the emulator doesn't tell: which a commit has, and which went stale. */
export type AppCheckRuns = {
  add(head: string, run: AppCheckRun): void;
  of(head: string): readonly AppCheckRun[];
  /** Notes that a run of this name completed in the repository. */
  addCompleted(repo: string, name: string): void;
  isCompleted(repo: string, name: string): boolean;
  /** Only GitHub can complete a run as `stale`; the emulator doesn't know that conclusion. */
  markStale(id: number): void;
  unmarkStale(id: number): void;
  isStale(id: number): boolean;
};

/** A run's id, and the full name of its repository. */
export type AppCheckRun = { repo: string; id: number };

/** The emulator stores a stale run with this conclusion; we show it as `stale`. */
export const STORED_STALE_CONCLUSION = 'cancelled';

export function createAppCheckRuns(): AppCheckRuns {
  const byHead = new Map<string, AppCheckRun[]>();
  const stale = new Set<number>();
  const completed = new Set<string>();
  return {
    add: (head, run) => void byHead.set(head, [...(byHead.get(head) ?? []), run]),
    of: (head) => byHead.get(head) ?? [],
    addCompleted: (repo, name) => void completed.add(`${repo} ${name}`),
    isCompleted: (repo, name) => completed.has(`${repo} ${name}`),
    markStale: (id) => void stale.add(id),
    unmarkStale: (id) => void stale.delete(id),
    isStale: (id) => stale.has(id),
  };
}
