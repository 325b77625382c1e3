import express, { type Request, type RequestHandler, Router } from 'express';
import { dropMachineCommits, type PullCommit } from '../agents-work.ts';
import type { CheckRun, Pull } from '../github-objects.ts';
import { findMissingCheck } from '../required-checks.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createAsOctocat, createNotices, messageOf } from './as-octocat.ts';
import { readChangedFiles } from './changed-files.ts';
import { html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';
import { filesPage, pullPage } from './pull-page.ts';
import { repositoryOf } from './repository-of.ts';

const readForm = express.urlencoded({ extended: false, limit: '1mb' });

/** A pull request's page, its forms, and its changed files. */
export function pullPageRoutes(deps: RouteDeps): Router {
  const { emulator } = deps;
  const router = Router();
  const asOctocat = createAsOctocat(deps);
  const notices = createNotices();

  const readPull = (req: Request) =>
    emulator.get<Pull>(`/repos/${repositoryOf(req)}/pulls/${Number(req.params.number)}`);

  /** From our own routes, because they also list the runs on a fork's commits. */
  const readChecks = async (pull: Pull) => {
    const path = `/repos/${pull.base.repo.full_name}/commits/${pull.head.sha}/check-runs?per_page=100`;
    const answer = await asOctocat('GET', path);
    return answer.ok ? ((await answer.json()) as { check_runs: CheckRun[] }).check_runs : [];
  };

  /** From our own routes, because they link machines to their accounts. */
  const readCommits = async (pull: Pull) => {
    const path = `/repos/${pull.base.repo.full_name}/pulls/${pull.number}/commits?per_page=100`;
    const answer = await asOctocat('GET', path);
    return answer.ok ? ((await answer.json()) as PullCommit[]) : [];
  };

  const show: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    if (!pull) {
      sendMissing(res);
      return;
    }
    const message = notices.take(req);
    const [checks, commits] = await Promise.all([readChecks(pull), readCommits(pull)]);
    const update = { repo: pull.base.repo, branch: pull.base.ref, sha: pull.head.sha };
    const missing = await findMissingCheck(deps, update);
    const body = pullPage({ pull, checks, commits, missing, message });
    sendPage(res, { title: `${pull.title} · #${pull.number}`, body });
  };
  router.get('/:owner/:repo/pull/:number', show);

  /** Does something about the pull request as octocat, then shows the page again, with the error if there is one. */
  const submit = (run: (pull: Pull, req: Request) => Promise<Response>): RequestHandler => {
    return async (req, res) => {
      const pull = await readPull(req);
      if (!pull) {
        sendMissing(res);
        return;
      }
      const page = `/${pull.base.repo.full_name}/pull/${pull.number}`;
      const answer = await run(pull, req);
      res.redirect(303, answer.ok ? page : notices.leave(page, await messageOf(answer)));
    };
  };
  const pathOf = ({ base, number }: Pull, of = 'pulls') => `/repos/${base.repo.full_name}/${of}/${number}`;
  const changeAssignees = (method: 'POST' | 'DELETE') => (pull: Pull, req: Request) => {
    const { login } = (req.body ?? {}) as { login?: unknown };
    return asOctocat(method, `${pathOf(pull, 'issues')}/assignees`, { assignees: [String(login)] });
  };
  const form = '/:owner/:repo/pull/:number';
  router.post(
    `${form}/merge`,
    requireOwnOrigin,
    submit((pull) => asOctocat('PUT', `${pathOf(pull)}/merge`)),
  );
  router.post(
    `${form}/push`,
    requireOwnOrigin,
    submit((pull) => asOctocat('PUT', `${pathOf(pull)}/update-branch`)),
  );
  router.post(
    `${form}/rebase`,
    requireOwnOrigin,
    submit(async (pull) => {
      const commits = await readCommits(pull);
      return dropMachineCommits(emulator, asOctocat, { pull, commits });
    }),
  );
  router.post(`${form}/assign`, requireOwnOrigin, readForm, submit(changeAssignees('POST')));
  router.post(`${form}/unassign`, requireOwnOrigin, readForm, submit(changeAssignees('DELETE')));

  const showFiles: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    if (!pull) {
      sendMissing(res);
      return;
    }
    const repo = pull.base.repo.full_name;
    const range = req.params.range ?? `${pull.base.sha}..${pull.head.sha}`;
    const files = await readChangedFiles(emulator, repo, String(range));
    if (!files) {
      sendMissing(res);
      return;
    }
    const heading = html`<h1 dir="auto">${pull.title} <span class="muted">#${pull.number}</span></h1>
<p><a href="/${repo}/pull/${pull.number}">Back to the pull request</a></p>`;
    sendPage(res, { title: `Files · ${pull.title}`, body: filesPage(heading, files) });
  };
  router.get('/:owner/:repo/pull/:number/files{/:range}', showFiles);
  router.get('/:owner/:repo/pull/:number/changes{/:range}', showFiles);

  return router;
}
