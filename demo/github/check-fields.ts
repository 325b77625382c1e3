import { readStoredHead, STORED_STALE_CONCLUSION } from './checks.ts';
import type { Event } from './deliveries.ts';
import type { Account, CheckRun, CheckSuite, Pull } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';
import { readSimpleCommit } from './simple-commit.ts';

/** A pull request as check runs and suites show it. */
const summaryOf = (pull: Pull) => {
  const branchOf = ({ ref, sha, repo }: Pull['head']) => ({
    ref,
    sha,
    repo: repo && { id: repo.id, name: repo.name, url: pull.url.replace(/\/pulls\/\d+$/, '') },
  });
  const { id, number, url, head, base } = pull;
  return { id, number, url, head: branchOf(head), base: branchOf(base) };
};

/** The same run or suite with the commit that it's about, also in its URLs. */
function withoutStoredHead<T extends { head_sha: string }>(check: T): T {
  const { head } = readStoredHead(check);
  if (head === check.head_sha) return check;
  return JSON.parse(JSON.stringify(check).replaceAll(check.head_sha, head)) as T;
}

/** Adds the fields that the emulator omits from check runs and suites: their App and their pull requests. */
export function createCheckFields({
  emulator,
  installations,
  readApp,
  checks,
}: Pick<RouteDeps, 'emulator' | 'installations' | 'readApp' | 'checks'>) {
  const appOf = (check: { head_sha: string }) =>
    readApp(installations.findOtherApp(readStoredHead(check).app));

  /** The commit of these runs or suites, which is the same for all. */
  const headOf = ([first]: readonly { head_sha: string }[]) => first && readStoredHead(first).head;

  const pullSummaries = async (repo: string, head: string | undefined) => {
    if (head === undefined) return [];
    const open = await emulator.list<Pull>(`/repos/${repo}/pulls?state=open`);
    // GitHub doesn't list a fork's pull requests here either.
    return open
      .filter((pull) => pull.head.sha === head && pull.head.repo?.id === pull.base.repo.id)
      .map(summaryOf);
  };

  const addToRuns = async (repo: string, runs: readonly CheckRun[]): Promise<CheckRun[]> => {
    const pull_requests = await pullSummaries(repo, headOf(runs));
    const addTo = async (stored: CheckRun): Promise<CheckRun> => {
      const app = await appOf(stored);
      const run = withoutStoredHead(stored);
      const check_suite = run.check_suite && { ...run.check_suite, app, pull_requests };
      const isStale = checks.isStale(run.id) && run.conclusion === STORED_STALE_CONCLUSION;
      const output = { ...run.output, annotations_url: `${run.url}/annotations` };
      return { ...run, ...(isStale && { conclusion: 'stale' }), output, app, pull_requests, check_suite };
    };
    return Promise.all(runs.map(addTo));
  };

  const addToSuites = async (repo: string, suites: readonly CheckSuite[]): Promise<CheckSuite[]> => {
    const pull_requests = await pullSummaries(repo, headOf(suites));
    const repository = await emulator.get(`/repos/${repo}`);
    const addTo = async (stored: CheckSuite): Promise<CheckSuite> => {
      const app = await appOf(stored);
      const suite = withoutStoredHead(stored);
      const path = `/repos/${repo}/check-suites/${suite.id}/check-runs`;
      const runs = await emulator.get<{ total_count: number }>(path);
      const head_commit = await readSimpleCommit(emulator, repo, suite.head_sha);
      const counted = { latest_check_runs_count: runs?.total_count ?? 0 };
      const check_runs_url = `${suite.url}/check-runs`;
      return { ...suite, app, pull_requests, repository, ...counted, check_runs_url, head_commit };
    };
    return Promise.all(suites.map(addTo));
  };

  const addToEvent = async ({ name, payload }: Event): Promise<Event> => {
    const known = payload as {
      check_run?: CheckRun;
      check_suite?: CheckSuite;
      pull_request?: Pull;
      repository?: { full_name: string };
      sender?: Account;
    };
    const repo = known.repository?.full_name ?? '';
    const [check_run] = known.check_run ? await addToRuns(repo, [known.check_run]) : [];
    const [check_suite] = known.check_suite ? await addToSuites(repo, [known.check_suite]) : [];
    const number = known.pull_request?.number;
    const check = known.check_run ?? known.check_suite;
    const other = check && installations.findOtherApp(readStoredHead(check).app);
    const added = {
      // Our App's, as the emulator knows no other.
      ...(other && { sender: { ...known.sender, id: other.id, login: `${other.slug}[bot]` } }),
      ...(check_run && { check_run }),
      ...(check_suite && { check_suite }),
      ...(number !== undefined && { number }),
    };
    return { name, payload: { ...payload, ...added } };
  };
  return { addToRuns, addToSuites, addToEvent };
}
