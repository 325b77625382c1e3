import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type CheckSuite, createCheckFields } from '../check-fields.ts';
import { APP } from '../credentials.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { CheckRun, Pull } from '../github-objects.ts';
import { refuseLongOutput } from '../output-limits.ts';
import { requireInstallation } from '../require-caller.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

const repoOf = (req: Request) => `${req.params.owner}/${req.params.repo}`;

/** Check runs and suites, which only the App may write (GitHub: "REST API endpoints for check runs"). */
export function checkRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator } = deps;
  const fields = createCheckFields(emulator, deps.readApp, deps.runs);
  /** Ids of the runs on commits of forks, by commit. The emulator stores these runs but doesn't list them. */
  const forkRuns = new Map<string, Set<number>>();

  const isPullHead = async (repo: string, sha: string) => {
    const pulls = await emulator.list<Pull>(`/repos/${repo}/pulls?state=all`);
    return pulls.some((pull) => pull.head.sha === sha);
  };

  /** The commit of a ref, which can be a branch or a tag; the ref itself if the repository doesn't have it. */
  const commitOf = async (req: Request): Promise<string> => {
    const ref = encodeURIComponent([req.params.ref ?? ''].flat().join('/'));
    const found = await emulator.get<{ sha: string }>(`/repos/${repoOf(req)}/commits/${ref}`);
    return found?.sha ?? ref;
  };

  const noteCompleted = (repo: string, { name, status }: CheckRun) => {
    if (status === 'completed') deps.runs.addCompleted(repo, name);
  };

  const relayRun = async (req: Request, res: Response) => {
    const answer = await forward(emulator, req);
    if (answer.status >= 300) {
      relay(res, answer);
      return;
    }
    const run = answer.json as CheckRun;
    // An update replaces the stale conclusion.
    if (req.method === 'PATCH') deps.runs.unmarkStale(run.id);
    noteCompleted(repoOf(req), run);
    const [completed] = await fields.addToRuns(repoOf(req), [run]);
    relay(res, answer, completed);
  };

  const createRun: RequestHandler = async (req, res) => {
    const sha = String(jsonBodyOf(req).head_sha ?? '');
    const commit = await emulator.get(`/repos/${repoOf(req)}/commits/${encodeURIComponent(sha)}`);
    if (!commit && !(await isPullHead(repoOf(req), sha))) {
      refuse(res, 422, `No commit found for SHA: ${sha}`);
      return;
    }
    const answer = await forward(emulator, req);
    if (answer.status !== 201) {
      relay(res, answer);
      return;
    }
    const [run] = await fields.addToRuns(repoOf(req), [answer.json as CheckRun]);
    if (run) deps.runs.add(sha, { repo: repoOf(req), id: run.id });
    if (run) noteCompleted(repoOf(req), run);
    if (run && !commit) forkRuns.set(sha, (forkRuns.get(sha) ?? new Set()).add(run.id));
    relay(res, answer, run);
  };
  const writers = [requireInstallation, readBody, refuseLongOutput];
  router.post('/repos/:owner/:repo/check-runs', ...writers, createRun);
  router.patch('/repos/:owner/:repo/check-runs/:id', ...writers, relayRun);
  router.get('/repos/:owner/:repo/check-runs/:id', readBody, relayRun);

  /** GitHub answers with an empty object, the emulator with nothing. */
  router.post('/repos/:owner/:repo/check-runs/:id/rerequest', readBody, async (req, res) => {
    const answer = await forward(emulator, req);
    if (answer.status === 201) res.status(201).json({});
    else relay(res, answer);
  });

  const readForkRuns = async (repo: string, ref: string) => {
    const ids = [...(forkRuns.get(ref) ?? [])].toReversed();
    const runs = await Promise.all(
      ids.map((id) => emulator.get<CheckRun>(`/repos/${repo}/check-runs/${id}`)),
    );
    return runs.filter((run) => run !== undefined);
  };

  /** Unless all are asked for, the newest of each name, as the emulator lists them for other commits. */
  const forkRunsIn = (newestFirst: CheckRun[], filter: unknown) =>
    newestFirst.filter(
      ({ name }, at) => filter === 'all' || newestFirst.findIndex((run) => run.name === name) === at,
    );

  const listRuns: RequestHandler = async (req, res) => {
    const repo = repoOf(req);
    const ref = await commitOf(req);
    // The emulator ignores `app_id`, and doesn't paginate a commit's runs, so we filter and paginate all of them.
    const url = new URL(req.url, deps.origin);
    url.searchParams.delete('page');
    url.searchParams.set('per_page', '100');
    const path = req.params.ref ? `/repos/${repo}/commits/${ref}/check-runs` : url.pathname;
    const answer = await forward(emulator, req, `${path}${url.search}`);
    const listed = (answer.json as { check_runs?: CheckRun[] } | undefined)?.check_runs;
    if (!listed && !(await isPullHead(repo, ref))) {
      relay(res, answer);
      return;
    }
    const isOurApp = req.query.app_id === undefined || Number(req.query.app_id) === APP.id;
    const { check_name: name, status } = req.query;
    const shown = listed ?? forkRunsIn(await readForkRuns(repo, ref), req.query.filter);
    const found = shown.filter(
      (run) => isOurApp && (!name || run.name === name) && (!status || run.status === status),
    );
    const page = paginate(req, res, found);
    sendWithETag(req, res, { total_count: found.length, check_runs: await fields.addToRuns(repo, page) });
  };
  router.get('/repos/:owner/:repo/commits/*ref/check-runs', readBody, listRuns);
  router.get('/repos/:owner/:repo/check-suites/:id/check-runs', readBody, listRuns);

  const createSuite: RequestHandler = async (req, res) => {
    const repo = repoOf(req);
    const sha = String(jsonBodyOf(req).head_sha ?? '');
    if (!(await emulator.get(`/repos/${repo}/commits/${encodeURIComponent(sha)}`))) {
      refuse(res, 422, `No commit found for SHA: ${sha}`);
      return;
    }
    const of = `/repos/${repo}/commits/${sha}/check-suites`;
    const known = await emulator.get<{ total_count: number }>(of);
    const answer = await forward(emulator, req);
    if (answer.status !== 201) {
      relay(res, answer);
      return;
    }
    const [suite] = await fields.addToSuites(repo, [answer.json as CheckSuite]);
    res.status(known?.total_count ? 200 : 201).json(suite);
  };
  router.post('/repos/:owner/:repo/check-suites', requireInstallation, readBody, createSuite);

  const listSuites: RequestHandler = async (req, res) => {
    const sha = await commitOf(req);
    const { search } = new URL(req.url, deps.origin);
    const answer = await forward(emulator, req, `/repos/${repoOf(req)}/commits/${sha}/check-suites${search}`);
    const listed = (answer.json as { check_suites?: CheckSuite[] } | undefined)?.check_suites;
    if (!listed) {
      relay(res, answer);
      return;
    }
    const page = paginate(req, res, listed);
    res.json({ total_count: listed.length, check_suites: await fields.addToSuites(repoOf(req), page) });
  };
  router.get('/repos/:owner/:repo/commits/*ref/check-suites', readBody, listSuites);

  return router;
}
