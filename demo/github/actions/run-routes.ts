import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Repository } from '../github-objects.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';
import { botOfApp, readVisible, requireActionsWrite } from './access.ts';
import { listWorkflows, readWorkflow, resolveRef } from './read-workflows.ts';
import { jobObject, runObject } from './run-objects.ts';
import { type Attempt, latestOf, type Run, statusOf } from './run-state.ts';

const CREATED = '2026-01-05T09:00:00Z';

export type RunHandler = (req: Request, res: Response, found: { repo: Repository; run: Run }) => unknown;

/** How old the answer to an App may be, in milliseconds; what a person reads or anybody writes is about the present. */
function lagOf({ actions }: Pick<RouteDeps, 'actions'>, { method, path }: Request, res: Response): number {
  const { runs, pending, approvals } = actions.unkind.lagMs;
  if (method !== 'GET' || callerOf(res).kind !== 'installation') return 0;
  if (path.endsWith('/pending_deployments')) return pending;
  return path.endsWith('/approvals') ? approvals : runs;
}

/** A handler for the run that the route names, if the caller may see its repository. */
export const withRun =
  (deps: RouteDeps, handle: RunHandler): RequestHandler =>
  async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const run = deps.actions.runs.find(repo, Number(req.params.run), lagOf(deps, req, res));
    if (run) await handle(req, res, { repo, run });
    else refuse(res, 404, 'Not Found');
  };

/**
 * Workflows and their runs (GitHub: "REST API endpoints for workflows", "… for workflow runs", "… for workflow jobs"). A
 * dispatch answers 204 without a body, so that the caller learns the run's id from the list only.
 */
export function runRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, installations, origin, actions } = deps;
  const { runs } = actions;
  const base = '/repos/:owner/:repo/actions';
  const mayWrite = requireActionsWrite(deps);

  /** The account that starts a run: the person, or the App's bot. */
  const actorOf = async (res: Response): Promise<Account | undefined> => {
    const caller = callerOf(res);
    if (caller.kind !== 'installation') return senderOf(emulator, res);
    const found = installations.findAny(caller.installation);
    return found && botOfApp({ id: installations.appOf(found.id), slug: found.app_slug });
  };

  router.get(`${base}/workflows`, readBody, async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const found = await listWorkflows(emulator, repo);
    const shown = paginate(req, res, found).map(({ path, workflow }) => {
      const id = runs.idOf(repo, path);
      return {
        id,
        node_id: `W_${id}`,
        name: workflow.name,
        path,
        state: 'active',
        created_at: CREATED,
        updated_at: CREATED,
        url: `${origin}/repos/${repo.full_name}/actions/workflows/${id}`,
        html_url: `${origin}/${repo.full_name}/blob/${repo.default_branch}/${path}`,
        badge_url: `${origin}/${repo.full_name}/workflows/${encodeURIComponent(workflow.name)}/badge.svg`,
      };
    });
    sendWithETag(req, res, { total_count: found.length, workflows: shown });
  });

  const dispatch: RequestHandler = async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const wanted = String(req.params.workflow);
    const listed = (await listWorkflows(emulator, repo)).find(
      ({ path }) => path.endsWith(`/${wanted}`) || String(runs.idOf(repo, path)) === wanted,
    );
    if (!listed) return refuse(res, 404, 'Not Found');
    const { ref } = jsonBodyOf(req);
    if (typeof ref !== 'string') return refuse(res, 422, 'Invalid request. "ref" wasn\'t supplied.');
    const found = await resolveRef(emulator, repo, ref);
    if (!found) return refuse(res, 422, `No ref found for: ${ref}`);
    const { path } = listed;
    const workflow = await readWorkflow(emulator, repo, { path, ref: found.sha });
    const actor = await actorOf(res);
    if (!workflow || !actor) return refuse(res, 404, 'Not Found');
    if (!workflow.isDispatched) return refuse(res, 422, "Workflow does not have 'workflow_dispatch' trigger");
    const at = { repo, headRepo: repo, branch: found.name, sha: found.sha };
    runs.start({ ...at, path, workflow, event: 'workflow_dispatch', title: workflow.name, actor });
    res.status(204).end();
  };
  router.post(`${base}/workflows/:workflow/dispatches`, readBody, mayWrite, dispatch);

  const isWanted = ({ query }: Request, run: Run) => {
    const { status, conclusion } = statusOf(latestOf(run));
    const has = (name: string, values: unknown[]) =>
      query[name] === undefined || values.includes(String(query[name]));
    return (
      has('status', [status, conclusion]) &&
      has('event', [run.event]) &&
      has('branch', [run.branch]) &&
      has('head_sha', [run.sha]) &&
      has('actor', [run.actor.login])
    );
  };
  router.get(`${base}/runs`, readBody, async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const found = runs.all(repo, lagOf(deps, req, res)).filter((run) => isWanted(req, run));
    const shown = await Promise.all(paginate(req, res, found).map((run) => runObject(deps, repo, run)));
    sendWithETag(req, res, { total_count: found.length, workflow_runs: shown });
  });

  router.get(
    `${base}/runs/:run`,
    readBody,
    withRun(deps, async (req, res, { repo, run }) =>
      sendWithETag(req, res, await runObject(deps, repo, run)),
    ),
  );

  const sendJobs = (
    req: Request,
    res: Response,
    found: { repo: Repository; run: Run; attempts: Attempt[] },
  ) => {
    const { repo, run } = found;
    const jobs = found.attempts.flatMap((attempt) =>
      attempt.jobs.map((job) => jobObject(deps, repo, run, { attempt, job })),
    );
    sendWithETag(req, res, { total_count: jobs.length, jobs: paginate(req, res, jobs) });
  };
  router.get(
    `${base}/runs/:run/jobs`,
    readBody,
    withRun(deps, (req, res, { repo, run }) => {
      const attempts = req.query.filter === 'all' ? run.attempts : [latestOf(run)];
      sendJobs(req, res, { repo, run, attempts });
    }),
  );

  const withAttempt = (
    show: (req: Request, res: Response, found: { repo: Repository; run: Run; attempt: Attempt }) => unknown,
  ) =>
    withRun(deps, async (req, res, { repo, run }) => {
      const attempt = run.attempts.find(({ number }) => number === Number(req.params.attempt));
      if (attempt) await show(req, res, { repo, run, attempt });
      else refuse(res, 404, 'Not Found');
    });
  router.get(
    `${base}/runs/:run/attempts/:attempt`,
    readBody,
    withAttempt(async (req, res, { repo, run, attempt }) =>
      sendWithETag(req, res, await runObject(deps, repo, run, attempt)),
    ),
  );
  router.get(
    `${base}/runs/:run/attempts/:attempt/jobs`,
    readBody,
    withAttempt((req, res, { repo, run, attempt }) => sendJobs(req, res, { repo, run, attempts: [attempt] })),
  );

  const isCompleted = (run: Run) => statusOf(latestOf(run)).status === 'completed';
  const rerun = (onlyFailed: boolean) =>
    withRun(deps, async (_req, res, { repo, run }) => {
      const actor = await actorOf(res);
      if (!actor || !isCompleted(run)) return refuse(res, 403, 'This workflow is already running');
      runs.rerun(repo, run, { actor, onlyFailed });
      res.status(201).json({});
    });
  router.post(`${base}/runs/:run/rerun`, readBody, mayWrite, rerun(false));
  router.post(`${base}/runs/:run/rerun-failed-jobs`, readBody, mayWrite, rerun(true));
  router.post(
    `${base}/runs/:run/cancel`,
    readBody,
    mayWrite,
    withRun(deps, (_req, res, { repo, run }) => {
      if (isCompleted(run)) return refuse(res, 409, 'Cannot cancel a workflow run that is completed.');
      runs.cancel(repo, run);
      res.status(202).json({});
    }),
  );

  return router;
}
