import { type RequestHandler, Router } from 'express';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Repository } from '../github-objects.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';
import { readWorkflow } from './read-workflows.ts';
import { runObject } from './run-objects.ts';
import { withRun } from './run-routes.ts';
import { waitingJobs } from './run-state.ts';
import { RELEASE_PATH } from './workflow-file.ts';

/**
 * What happens on GitHub without a call of its API. Below `/_local/repos/{owner}/{repo}/actions`:
 * - `POST /runs` with `{ event, ref, head_sha, head_repository }` starts the release as another event does, also with the
 *   head of a fork.
 * - `POST /runs/{id}/start-waiting` with `{ comment, environments }` is an administrator's button "Start all waiting
 *   jobs". GitHub doesn't document how it lists this among the reviews: we assume as the administrator's approval.
 * - `POST /runs/{id}/expire` does what GitHub does after 30 days.
 * - `POST /runs/{id}/pass-timers` does what GitHub does when the wait timers are over.
 * - `POST /unkind` with members of `Unkind` sets them.
 */
export function localActionsRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, actions } = deps;
  const { runs, environments, unkind } = actions;
  const base = '/_local/repos/:owner/:repo/actions';

  const start: RequestHandler = async (req, res) => {
    const { event, ref, head_sha: sha, head_repository: from } = jsonBodyOf(req);
    const repo = await emulator.get<Repository>(`/repos/${req.params.owner}/${req.params.repo}`);
    const headRepo = from === undefined ? repo : await emulator.get<Repository>(`/repos/${from}`);
    const workflow =
      headRepo && (await readWorkflow(emulator, headRepo, { path: RELEASE_PATH, ref: String(sha) }));
    const actor = await senderOf(emulator, res);
    if (!repo || !headRepo || !workflow || !actor) return refuse(res, 404, 'Not Found');
    const head = { branch: String(ref), sha: String(sha), title: workflow.name };
    const run = runs.start({
      repo,
      headRepo,
      path: RELEASE_PATH,
      workflow,
      event: String(event),
      actor,
      ...head,
    });
    res.status(201).json(await runObject(deps, repo, run));
  };
  router.post(`${base}/runs`, requireAdmin, readBody, start);

  const bypass = withRun(deps, async (req, res, { repo, run }) => {
    const { comment = '', environments: names } = jsonBodyOf(req);
    const user = await senderOf(emulator, res);
    const jobs = waitingJobs(run).filter(({ plan }) => {
      const isChosen = !Array.isArray(names) || names.includes(plan.environment);
      return isChosen && environments.find(repo, plan.environment ?? '')?.can_admins_bypass;
    });
    if (!user || jobs.length === 0) return refuse(res, 422, 'No waiting job that administrators may start.');
    const started = [...new Set(jobs.map(({ plan }) => plan.environment ?? ''))];
    runs.bypass(repo, run, jobs, {
      state: 'approved',
      comment: String(comment),
      user,
      environments: started,
    });
    res.status(204).end();
  });
  router.post(`${base}/runs/:run/start-waiting`, requireAdmin, readBody, bypass);

  const expire = withRun(deps, (_req, res, { repo, run }) => {
    runs.expire(repo, run);
    res.status(204).end();
  });
  router.post(`${base}/runs/:run/expire`, requireAdmin, readBody, expire);

  const passTimers = withRun(deps, (_req, res, { repo, run }) => {
    runs.passTimers(repo, run);
    res.status(204).end();
  });
  router.post(`${base}/runs/:run/pass-timers`, requireAdmin, readBody, passTimers);

  router.post(`${base}/unkind`, requireAdmin, readBody, (req, res) => {
    Object.assign(unkind, jsonBodyOf(req));
    if (!unkind.holdsRequests) actions.release();
    res.json(unkind);
  });

  return router;
}
