import { type AppCheckRuns, STORED_STALE_CONCLUSION } from './app-check-runs.ts';
import { APP } from './credentials.ts';
import type { Event } from './deliveries.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { CheckRun, Pull } from './github-objects.ts';

export type CheckSuite = Record<string, unknown> & { head_sha: string; id: number; url: string };

type Commit = { sha: string; commit: { tree: { sha: string }; message: string } & Record<string, unknown> };

const appObject = (origin: string) => ({
  ...APP,
  node_id: `${APP.id}`,
  html_url: `${origin}/apps/${APP.slug}`,
  external_url: `${origin}/apps/${APP.slug}`,
});

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

/** Adds the fields that the emulator omits from check runs and suites: their App and their pull requests. */
export function createCheckFields(emulator: EmulatorClient, origin: string, appCheckRuns: AppCheckRuns) {
  const app = appObject(origin);

  const pullSummaries = async (repo: string, head: string | undefined) => {
    if (head === undefined) return [];
    const open = await emulator.list<Pull>(`/repos/${repo}/pulls?state=open`);
    // GitHub doesn't list a fork's pull requests here either.
    return open
      .filter((pull) => pull.head.sha === head && pull.head.repo?.id === pull.base.repo.id)
      .map(summaryOf);
  };

  const addToRuns = async (repo: string, runs: readonly CheckRun[]): Promise<CheckRun[]> => {
    const pull_requests = await pullSummaries(repo, runs[0]?.head_sha);
    return runs.map((run) => {
      const check_suite = run.check_suite && { ...run.check_suite, app, pull_requests };
      const isStale = appCheckRuns.isStale(run.id) && run.conclusion === STORED_STALE_CONCLUSION;
      return { ...run, ...(isStale && { conclusion: 'stale' }), app, pull_requests, check_suite };
    });
  };

  const addToSuites = async (repo: string, suites: readonly CheckSuite[]): Promise<CheckSuite[]> => {
    const pull_requests = await pullSummaries(repo, suites[0]?.head_sha);
    return suites.map((suite) => ({ ...suite, app, pull_requests }));
  };

  /** A webhook describes a suite in more detail than a list does. */
  const addToWebhookSuite = async (repo: string, suite: CheckSuite): Promise<CheckSuite> => {
    const [completed = suite] = await addToSuites(repo, [suite]);
    const runs = await emulator.get<{ total_count: number }>(
      `/repos/${repo}/check-suites/${suite.id}/check-runs`,
    );
    const found = await emulator.get<Commit>(`/repos/${repo}/commits/${suite.head_sha}`);
    const head_commit = found && {
      id: found.sha,
      tree_id: found.commit.tree.sha,
      message: found.commit.message,
      author: found.commit.author,
      committer: found.commit.committer,
    };
    const check_runs_url = `${suite.url}/check-runs`;
    return { ...completed, latest_check_runs_count: runs?.total_count ?? 0, check_runs_url, head_commit };
  };

  const addToEvent = async ({ name, payload }: Event): Promise<Event> => {
    const known = payload as {
      check_run?: CheckRun;
      check_suite?: CheckSuite;
      pull_request?: Pull;
      repository?: { full_name: string };
    };
    const repo = known.repository?.full_name ?? '';
    const [check_run] = known.check_run ? await addToRuns(repo, [known.check_run]) : [];
    const check_suite = known.check_suite && (await addToWebhookSuite(repo, known.check_suite));
    const number = known.pull_request?.number;
    const added = {
      ...(check_run && { check_run }),
      ...(check_suite && { check_suite }),
      ...(number !== undefined && { number }),
    };
    return { name, payload: { ...payload, ...added } };
  };
  return { addToRuns, addToSuites, addToEvent };
}
