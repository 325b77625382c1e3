import { type Request, type RequestHandler, type Response, Router } from 'express';
import { pageOf, refuse, relay } from './answers.ts';
import { createCheckCompletion, type Suite } from './check-completion.ts';
import { APP } from './credentials.ts';
import { forward, jsonBodyOf, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { CheckRun, Pull } from './shapes.ts';

const NOT_AN_APP = 'You must authenticate via a GitHub App.';

const repoOf = (req: Request) => `${req.params.owner}/${req.params.repo}`;

/** Check runs and suites, for the App alone to write (GitHub: "REST API endpoints for check runs"). */
export function checkRoutes(local: Local): Router {
  const router = Router();
  const { upstream } = local;
  const completion = createCheckCompletion(upstream, local.origin, local.runs);
  /** Runs on a fork's commits, which the emulator keeps but does not list: head → run ids. */
  const foreign = new Map<string, Set<number>>();

  const requireInstallation: RequestHandler = (_req, res, next) => {
    const { kind } = callerOf(res);
    if (kind === 'installation') next();
    else
      refuse(res, kind === 'nobody' ? 401 : 403, kind === 'nobody' ? 'Requires authentication' : NOT_AN_APP);
  };

  const isHead = async (repo: string, sha: string) => {
    const pulls = await upstream.list<Pull>(`/repos/${repo}/pulls?state=all`);
    return pulls.some((pull) => pull.head.sha === sha);
  };

  const relayRun = async (req: Request, res: Response) => {
    const answer = await forward(upstream, req);
    if (answer.status >= 300) {
      relay(res, answer);
      return;
    }
    const run = answer.json as CheckRun;
    // Whoever writes it anew ends what GitHub said of it.
    if (req.method === 'PATCH') local.runs.unmarkStale(run.id);
    const [completed] = await completion.runs(repoOf(req), [run]);
    relay(res, answer, completed);
  };

  router.post('/repos/:owner/:repo/check-runs', requireInstallation, readBody, async (req, res) => {
    const sha = String(jsonBodyOf(req).head_sha ?? '');
    const isOwn = Boolean(await upstream.get(`/repos/${repoOf(req)}/commits/${encodeURIComponent(sha)}`));
    if (!isOwn && !(await isHead(repoOf(req), sha))) {
      refuse(res, 422, `No commit found for SHA: ${sha}`);
      return;
    }
    const answer = await forward(upstream, req);
    if (answer.status !== 201) {
      relay(res, answer);
      return;
    }
    const [run] = await completion.runs(repoOf(req), [answer.json as CheckRun]);
    if (run) local.runs.made(sha, { repo: repoOf(req), id: run.id });
    if (!isOwn && run) foreign.set(sha, (foreign.get(sha) ?? new Set()).add(run.id));
    relay(res, answer, run);
  });

  router.patch('/repos/:owner/:repo/check-runs/:id', requireInstallation, readBody, relayRun);
  router.get('/repos/:owner/:repo/check-runs/:id', readBody, relayRun);

  const foreignRuns = async (repo: string, ref: string) => {
    const ids = [...(foreign.get(ref) ?? [])].toReversed();
    const runs = await Promise.all(
      ids.map((id) => upstream.get<CheckRun>(`/repos/${repo}/check-runs/${id}`)),
    );
    return runs.filter((run) => run !== undefined);
  };

  const relayRuns: RequestHandler = async (req, res) => {
    const all = new URL(req.url, local.origin);
    // Filtered and cut here: the emulator knows neither `app_id` nor, for a commit, pages.
    all.searchParams.delete('page');
    all.searchParams.set('per_page', '100');
    const answer = await forward(upstream, req, `${all.pathname}${all.search}`);
    const repo = repoOf(req);
    const ref = [req.params.ref ?? ''].flat().join('/');
    const listed = (answer.json as { check_runs?: CheckRun[] } | undefined)?.check_runs;
    if (!listed && !(await isHead(repo, ref))) {
      relay(res, answer);
      return;
    }
    const isApp = req.query.app_id === undefined || Number(req.query.app_id) === APP.id;
    const { check_name: name, status } = req.query;
    const wanted = (listed ?? (await foreignRuns(repo, ref))).filter(
      (run) => isApp && (!name || run.name === name) && (!status || run.status === status),
    );
    const page = pageOf(req, res, wanted);
    res.json({ total_count: wanted.length, check_runs: await completion.runs(repo, page) });
  };
  router.get('/repos/:owner/:repo/commits/*ref/check-runs', readBody, relayRuns);
  router.get('/repos/:owner/:repo/check-suites/:id/check-runs', readBody, relayRuns);

  router.get('/repos/:owner/:repo/commits/*ref/check-suites', readBody, async (req, res) => {
    const answer = await forward(upstream, req);
    const listed = (answer.json as { check_suites?: Suite[] } | undefined)?.check_suites;
    if (!listed) {
      relay(res, answer);
      return;
    }
    const repo = repoOf(req as Request);
    const page = pageOf(req as Request, res, listed);
    res.json({ total_count: listed.length, check_suites: await completion.suites(repo, page) });
  });

  return router;
}
