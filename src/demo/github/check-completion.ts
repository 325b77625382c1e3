import { APP } from './credentials.ts';
import type { Event } from './deliveries.ts';
import { type RunBook, STALE_STANDS_AS } from './run-book.ts';
import type { CheckRun, Pull } from './shapes.ts';
import type { Upstream } from './upstream.ts';

export type Suite = Record<string, unknown> & { head_sha: string; id: number; url: string };

const checkApp = (origin: string) => ({
  ...APP,
  node_id: `${APP.id}`,
  html_url: `${origin}/apps/${APP.slug}`,
  external_url: `${origin}/apps/${APP.slug}`,
});

const briefOf = (pull: Pull) => {
  const sideOf = ({ ref, sha, repo }: Pull['head']) => ({
    ref,
    sha,
    repo: repo && { id: repo.id, name: repo.name, url: pull.url.replace(/\/pulls\/\d+$/, '') },
  });
  return {
    id: pull.id,
    number: pull.number,
    url: pull.url,
    head: sideOf(pull.head),
    base: sideOf(pull.base),
  };
};

type Commit = { sha: string; commit: { tree: { sha: string }; message: string } & Record<string, unknown> };

/** Adds to runs and suites what the emulator leaves out: the App that made them, and their pull requests. */
export function createCheckCompletion(upstream: Upstream, origin: string, book: RunBook) {
  const app = checkApp(origin);
  const pullsAt = async (repo: string, head: string) => {
    const open = await upstream.list<Pull>(`/repos/${repo}/pulls?state=open`);
    // A fork's pull request is not among them at GitHub either.
    return open.filter((pull) => pull.head.sha === head && pull.head.repo?.id === pull.base.repo.id);
  };
  const runs = async (repo: string, list: readonly CheckRun[]): Promise<CheckRun[]> => {
    const head = list[0]?.head_sha;
    const pull_requests = head === undefined ? [] : (await pullsAt(repo, head)).map(briefOf);
    return list.map((run) => {
      const check_suite = run.check_suite && { ...run.check_suite, app, pull_requests };
      const isStale = book.isStale(run.id) && run.conclusion === STALE_STANDS_AS;
      return { ...run, ...(isStale && { conclusion: 'stale' }), app, pull_requests, check_suite };
    });
  };
  const suites = async (repo: string, list: readonly Suite[]): Promise<Suite[]> => {
    const head = list[0]?.head_sha;
    const pull_requests = head === undefined ? [] : (await pullsAt(repo, head)).map(briefOf);
    return list.map((suite) => ({ ...suite, app, pull_requests }));
  };
  /** What a webhook says of a suite beyond what its list says. */
  const wholeSuite = async (repo: string, suite: Suite): Promise<Suite> => {
    const [completed = suite] = await suites(repo, [suite]);
    const runs = await upstream.get<{ total_count: number }>(
      `/repos/${repo}/check-suites/${suite.id}/check-runs`,
    );
    const found = await upstream.get<Commit>(`/repos/${repo}/commits/${suite.head_sha}`);
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
  const event = async ({ name, payload }: Event): Promise<Event> => {
    const known = payload as {
      check_run?: CheckRun;
      check_suite?: Suite;
      pull_request?: Pull;
      repository?: { full_name: string };
    };
    const repo = known.repository?.full_name ?? '';
    const [check_run] = known.check_run ? await runs(repo, [known.check_run]) : [];
    const check_suite = known.check_suite && (await wholeSuite(repo, known.check_suite));
    const number = known.pull_request?.number;
    const added = {
      ...(check_run && { check_run }),
      ...(check_suite && { check_suite }),
      ...(number !== undefined && { number }),
    };
    return { name, payload: { ...payload, ...added } };
  };
  return { runs, suites, event };
}
