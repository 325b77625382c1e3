import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf, emulatorTokenOf } from '../authenticate.ts';
import { createCheckFields } from '../check-fields.ts';
import { readStoredHead, storedHead } from '../checks.ts';
import { APP } from '../credentials.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { CheckRun, CheckSuite, Pull } from '../github-objects.ts';
import { refuseLongOutput } from '../output-limits.ts';
import { requireInstallation } from '../require-caller.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { makeSuite } from '../suites.ts';

const repoOf = (req: Request) => `${req.params.owner}/${req.params.repo}`;

/** Check runs and suites, which only their App may write (GitHub: "REST API endpoints for check runs"). */
export function checkRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, checks, installations } = deps;
  const fields = createCheckFields(deps);

  const isPullHead = async (repo: string, sha: string) => {
    const pulls = await emulator.list<Pull>(`/repos/${repo}/pulls?state=all`);
    return pulls.some((pull) => pull.head.sha === sha);
  };

  /** The commit of a ref, which can be a branch, a tag, or the head of a pull request; undefined if there is none. */
  const commitOf = async (req: Request): Promise<string | undefined> => {
    const ref = encodeURIComponent([req.params.ref ?? ''].flat().join('/'));
    const found = await emulator.get<{ sha: string }>(`/repos/${repoOf(req)}/commits/${ref}`);
    return found?.sha ?? ((await isPullHead(repoOf(req), ref)) ? ref : undefined);
  };

  /** The id of the App that sent a request, if an App did. */
  const appOf = (res: Response): number => {
    const caller = callerOf(res);
    return caller.kind === 'installation' ? installations.appOf(caller.installation) : APP.id;
  };

  /** Refuses an App whose run it isn't, as GitHub does. */
  const requireOwnRun: RequestHandler = async (req, res, next) => {
    const isApp = callerOf(res).kind === 'installation';
    const path = `/repos/${repoOf(req)}/check-runs/${req.params.id}`;
    const run = isApp ? await emulator.get<CheckRun>(path) : undefined;
    const owner = run && readStoredHead(run).app;
    const message = `Invalid app_id \`${owner}\` - check run can only be modified by the GitHub App that created it.`;
    if (owner === undefined || owner === appOf(res)) next();
    else refuse(res, 403, message);
  };

  const relayRun = async (req: Request, res: Response) => {
    const answer = await forward(emulator, req);
    if (answer.status >= 300) {
      relay(res, answer);
      return;
    }
    const run = answer.json as CheckRun;
    // An update replaces the stale conclusion.
    if (req.method === 'PATCH') checks.unmarkStale(run.id);
    if (req.method !== 'GET') checks.noteRun(repoOf(req), run);
    const [completed] = await fields.addToRuns(repoOf(req), [run]);
    relay(res, answer, completed);
  };

  const createRun: RequestHandler = async (req, res) => {
    const [repo, app] = [repoOf(req), appOf(res)];
    const body = jsonBodyOf(req);
    const sha = String(body.head_sha ?? '');
    const commit = await emulator.get(`/repos/${repo}/commits/${encodeURIComponent(sha)}`);
    if (!commit && !(await isPullHead(repo, sha))) {
      refuse(res, 422, `No commit found for SHA: ${sha}`);
      return;
    }
    const head_sha = storedHead(app, sha);
    // In the suite that a run makes, another App's commit would be of the default branch.
    if (app !== APP.id) await makeSuite(deps, { repo, head: sha, app });
    req.body = Buffer.from(JSON.stringify({ ...body, head_sha }));
    await relayRun(req, res);
  };
  const writers = [requireInstallation, readBody, refuseLongOutput];
  router.post('/repos/:owner/:repo/check-runs', ...writers, createRun);
  router.patch('/repos/:owner/:repo/check-runs/:id', ...writers, requireOwnRun, relayRun);
  router.get('/repos/:owner/:repo/check-runs/:id', readBody, relayRun);

  /** GitHub answers with an empty object, the emulator with nothing. */
  router.post('/repos/:owner/:repo/check-runs/:id/rerequest', readBody, requireOwnRun, async (req, res) => {
    const answer = await forward(emulator, req);
    if (answer.status === 201) res.status(201).json({});
    else relay(res, answer);
  });

  /** Whether the caller may read the repository; relays the refusal if not. */
  const mayRead = async (req: Request, res: Response): Promise<boolean> => {
    const answer = await forward(emulator, req, `/repos/${repoOf(req)}`);
    if (answer.status !== 200) relay(res, answer);
    return answer.status === 200;
  };

  const isOfApp = (req: Request, check: { head_sha: string }) =>
    req.query.app_id === undefined || Number(req.query.app_id) === readStoredHead(check).app;

  /** Sends the runs that a request selects; unless it asks for all, the newest of each App and name. */
  const sendRuns = async (req: Request, res: Response, newestFirst: readonly CheckRun[]) => {
    const { check_name: name, status, filter } = req.query;
    const found = newestFirst.filter(
      (run) => isOfApp(req, run) && (!name || run.name === name) && (!status || run.status === status),
    );
    const isNewest = (run: CheckRun, at: number) =>
      found.findIndex((other) => other.name === run.name && other.head_sha === run.head_sha) === at;
    const shown = filter === 'all' ? found : found.filter(isNewest);
    const check_runs = await fields.addToRuns(repoOf(req), paginate(req, res, shown));
    sendWithETag(req, res, { total_count: shown.length, check_runs });
  };

  const listRuns: RequestHandler = async (req, res) => {
    if (!(await mayRead(req, res))) return;
    const sha = await commitOf(req);
    if (sha === undefined) refuse(res, 404, 'Not Found');
    else await sendRuns(req, res, await checks.runsOf(repoOf(req), sha));
  };
  router.get('/repos/:owner/:repo/commits/*ref/check-runs', readBody, listRuns);

  const listRunsOfSuite: RequestHandler = async (req, res) => {
    const path = `/repos/${repoOf(req)}/check-suites/${req.params.id}/check-runs?per_page=100`;
    const answer = await forward(emulator, req, path);
    if (answer.status !== 200) relay(res, answer);
    else await sendRuns(req, res, (answer.json as { check_runs: CheckRun[] }).check_runs);
  };
  router.get('/repos/:owner/:repo/check-suites/:id/check-runs', readBody, listRunsOfSuite);

  const createSuite: RequestHandler = async (req, res) => {
    const [repo, app] = [repoOf(req), appOf(res)];
    const head = String(jsonBodyOf(req).head_sha ?? '');
    if (!(await emulator.get(`/repos/${repo}/commits/${encodeURIComponent(head)}`))) {
      refuse(res, 422, `No commit found for SHA: ${head}`);
      return;
    }
    const suites = await checks.suitesOf(repo, head);
    const isKnown = suites.some((suite) => readStoredHead(suite).app === app);
    const answer = await makeSuite(deps, { repo, head, app, token: emulatorTokenOf(res) });
    if (answer.status !== 201) {
      relay(res, answer);
      return;
    }
    const [suite] = await fields.addToSuites(repo, [answer.json as CheckSuite]);
    res.status(isKnown ? 200 : 201).json(suite);
  };
  router.post('/repos/:owner/:repo/check-suites', requireInstallation, readBody, createSuite);

  const listSuites: RequestHandler = async (req, res) => {
    if (!(await mayRead(req, res))) return;
    const sha = await commitOf(req);
    if (sha === undefined) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const found = (await checks.suitesOf(repoOf(req), sha)).filter((suite) => isOfApp(req, suite));
    const check_suites = await fields.addToSuites(repoOf(req), paginate(req, res, found));
    res.json({ total_count: found.length, check_suites });
  };
  router.get('/repos/:owner/:repo/commits/*ref/check-suites', readBody, listSuites);

  return router;
}
