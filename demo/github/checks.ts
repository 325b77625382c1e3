import { APP } from './credentials.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { CheckRun, CheckSuite } from './github-objects.ts';

/** The emulator stores a stale run with this conclusion; we show it as `stale`. */
export const STORED_STALE_CONCLUSION = 'cancelled';

/**
 * The emulator has one suite for each commit, and GitHub one for each App. So it stores the runs and suites of another App
 * at a commit that doesn't exist, `<commit>@<App's id>`.
 */
export const storedHead = (app: number, head: string): string => (app === APP.id ? head : `${head}@${app}`);

/** The commit and the App's id of a run or suite of the emulator. */
export function readStoredHead({ head_sha }: { head_sha: string }): { head: string; app: number } {
  const [head = '', app = APP.id] = head_sha.split('@');
  return { head, app: Number(app) };
}

/** An id of the emulator, and the full name of its repository. */
type Stored = { repo: string; id: number };

export type Checks = ReturnType<typeof createChecks>;

/** Answers about check runs and suites that the emulator lacks: which a commit has of all Apps, and which runs went stale. */
export function createChecks(emulator: EmulatorClient) {
  const runs = new Map<string, Stored[]>();
  const suites = new Map<string, Stored[]>();
  const stale = new Set<number>();
  const completed = new Map<string, number>();

  const note = (all: Map<string, Stored[]>, repo: string, check: { id: number; head_sha: string }) => {
    const { head } = readStoredHead(check);
    const known = all.get(head) ?? [];
    if (!known.some(({ id }) => id === check.id)) all.set(head, [{ repo, id: check.id }, ...known]);
  };
  const readAll = async <T>(path: string, stored: readonly Stored[] = []): Promise<T[]> => {
    // Other repositories can have the same commit.
    const found = await Promise.all(stored.map(({ id }) => emulator.get<T>(`${path}/${id}`)));
    return found.filter((each) => each !== undefined);
  };

  return {
    /** Notes a run that was created or changed. */
    noteRun: (repo: string, run: CheckRun) => {
      note(runs, repo, run);
      if (run.check_suite) note(suites, repo, run.check_suite);
      if (run.status === 'completed') completed.set(`${repo} ${run.name}`, readStoredHead(run).app);
    },
    noteSuite: (repo: string, suite: CheckSuite) => note(suites, repo, suite),
    /** The runs of all Apps on a commit, which can be in a fork: as the emulator stores them, newest first. */
    runsOf: (repo: string, head: string) => readAll<CheckRun>(`/repos/${repo}/check-runs`, runs.get(head)),
    suitesOf: (repo: string, head: string) =>
      readAll<CheckSuite>(`/repos/${repo}/check-suites`, suites.get(head)),
    /** Where the runs on a commit are, in all repositories. */
    placesOf: (head: string): readonly Stored[] => runs.get(head) ?? [],
    /** The id of the App whose run of this name completed last in the repository; null if there is none. */
    lastCompletedBy: (repo: string, name: string) => completed.get(`${repo} ${name}`) ?? null,
    /** Only GitHub can complete a run as `stale`; the emulator doesn't know that conclusion. */
    markStale: (id: number) => void stale.add(id),
    unmarkStale: (id: number) => void stale.delete(id),
    isStale: (id: number) => stale.has(id),
  };
}
