import express, { type Request, type RequestHandler, Router } from 'express';
import { listWorkflows } from '../actions/read-workflows.ts';
import type { Run } from '../actions/run-state.ts';
import type { Repository } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createAsOctocat, createNotices, messageOf } from './as-octocat.ts';
import { type Html, html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';
import { repositoryOf } from './repository-of.ts';
import { runItem, runPage } from './run-page.ts';

const MOST_SHOWN = 5;

/** The workflows of a repository, each with a button that runs it, and the newest runs; nothing without a workflow. */
export async function runsSection(
  { emulator, actions }: RouteDeps,
  repo: Repository,
): Promise<Html | undefined> {
  const workflows = (await listWorkflows(emulator, repo)).filter(({ workflow }) => workflow.isDispatched);
  const runs = actions.runs.all(repo).slice(0, MOST_SHOWN);
  if (workflows.length + runs.length === 0) return undefined;
  const forms = workflows.map(
    ({ path, workflow }) => html`<form method="post" action="/${repo.full_name}/actions/dispatch">
<input type="hidden" name="file" value="${path.split('/').at(-1)}">
<button>Run ${workflow.name.toLowerCase()}</button></form>`,
  );
  return html`<section data-live><h2>Actions</h2>
${runs.length > 0 && html`<ul class="list">${runs.map((run) => runItem(repo, run))}</ul>`}
<div class="actions">${forms}<a class="details" href="/${repo.full_name}/settings/environments">Environments</a></div>
</section>`;
}

/** The page of a run, and the buttons that start a run, repeat or cancel one, or start what waits in it. */
export function runPageRoutes(deps: RouteDeps): Router {
  const { emulator, actions } = deps;
  const router = Router();
  const asOctocat = createAsOctocat(deps);
  const notices = createNotices();
  const readForm = express.urlencoded({ extended: false });
  const page = '/:owner/:repo/actions/runs/:run';

  const withRun =
    (handle: (found: { repo: Repository; run: Run }, ...rest: Parameters<RequestHandler>) => unknown) =>
    async (...[req, res, next]: Parameters<RequestHandler>) => {
      const repo = await emulator.get<Repository>(`/repos/${repositoryOf(req)}`);
      const run = repo && actions.runs.find(repo, Number(req.params.run));
      if (run) await handle({ repo, run }, req, res, next);
      else sendMissing(res);
    };

  const show = withRun(({ repo, run }, req, res) => {
    const title = `${run.workflow.name} #${run.number} · ${repo.full_name}`;
    sendPage(res, { title, body: runPage(repo, run, notices.take(req)) });
  });
  router.get([page, `${page}/job/:job`], show);

  const submit = (act: (found: { repo: Repository; run: Run }, req: Request) => Promise<Response>) =>
    withRun(async (found, req, res) => {
      const answer = await act(found, req);
      const back = `/${found.repo.full_name}/actions/runs/${found.run.id}`;
      res.redirect(303, answer.ok ? back : notices.leave(back, await messageOf(answer)));
    });
  const pathOf = ({ repo, run }: { repo: Repository; run: Run }) =>
    `/repos/${repo.full_name}/actions/runs/${run.id}`;
  for (const action of ['rerun', 'cancel'])
    router.post(
      `${page}/${action}`,
      requireOwnOrigin,
      submit((found) => asOctocat('POST', `${pathOf(found)}/${action}`)),
    );
  const start = submit((found, req) => {
    const { comment } = (req.body ?? {}) as { comment?: unknown };
    return asOctocat('POST', `/_local${pathOf(found)}/start-waiting`, { comment: String(comment ?? '') });
  });
  router.post(`${page}/start-waiting`, requireOwnOrigin, readForm, start);
  const review = submit(async (found) => {
    const path = `${pathOf(found)}/pending_deployments`;
    const pending = (await (await asOctocat('GET', path)).json()) as { environment: { id: number } }[];
    const environment_ids = pending.map(({ environment }) => environment.id);
    return asOctocat('POST', path, { environment_ids, state: 'approved', comment: '' });
  });
  router.post(`${page}/review`, requireOwnOrigin, review);
  const passTimers = submit((found) => asOctocat('POST', `/_local${pathOf(found)}/pass-timers`));
  router.post(`${page}/pass-timers`, requireOwnOrigin, passTimers);

  const dispatch: RequestHandler = async (req, res) => {
    const repo = await emulator.get<Repository>(`/repos/${repositoryOf(req)}`);
    const { file } = (req.body ?? {}) as { file?: unknown };
    const path = `/repos/${repo?.full_name}/actions/workflows/${encodeURIComponent(String(file))}/dispatches`;
    const answer = repo && (await asOctocat('POST', path, { ref: repo.default_branch }));
    const [newest] = repo && answer?.ok ? actions.runs.all(repo) : [];
    if (repo && newest) res.redirect(303, `/${repo.full_name}/actions/runs/${newest.id}`);
    else sendMissing(res);
  };
  router.post('/:owner/:repo/actions/dispatch', requireOwnOrigin, readForm, dispatch);

  return router;
}
