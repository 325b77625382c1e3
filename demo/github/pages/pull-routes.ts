import { randomUUID } from 'node:crypto';
import { type Request, type RequestHandler, Router } from 'express';
import type { CheckRun, Pull } from '../github-objects.ts';
import { findMissingCheck } from '../required-checks.ts';
import type { RouteDeps } from '../route-deps.ts';
import { readChangedFiles } from './changed-files.ts';
import { html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';
import { filesPage, pullPage } from './pull-page.ts';
import { repositoryOf } from './repository-of.ts';

/** A pull request's page, its forms, and its changed files. */
export function pullPageRoutes(deps: RouteDeps): Router {
  const { emulator, apiUrl, credentials } = deps;
  const router = Router();
  /** Messages that a form leaves for the next view of the page, by a random key. */
  const messages = new Map<string, string>();
  const authorization = `Bearer ${credentials.adminToken}`;

  const readPull = (req: Request) =>
    emulator.get<Pull>(`/repos/${repositoryOf(req)}/pulls/${Number(req.params.number)}`);

  const readChecks = async (pull: Pull) => {
    // From our own routes, because they also list the runs on a fork's commits.
    const path = `/repos/${pull.base.repo.full_name}/commits/${pull.head.sha}/check-runs?per_page=100`;
    const response = await fetch(`${apiUrl}${path}`, { headers: { authorization } });
    if (!response.ok) return [];
    return ((await response.json()) as { check_runs: CheckRun[] }).check_runs;
  };

  const show: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    if (!pull) {
      sendMissing(res);
      return;
    }
    const key = String(req.query.notice ?? '');
    const message = messages.get(key);
    messages.delete(key);
    const checks = await readChecks(pull);
    const update = { repo: pull.base.repo, branch: pull.base.ref, sha: pull.head.sha };
    const missing = await findMissingCheck(deps, update);
    const body = pullPage({ pull, checks, missing, message });
    sendPage(res, { title: `${pull.title} · #${pull.number}`, body });
  };
  router.get('/:owner/:repo/pull/:number', show);

  /** Sends a request about the pull request as octocat, then shows the page again, with the error if there is one. */
  const submit = (path: string): RequestHandler => {
    return async (req, res) => {
      const [repo, number] = [repositoryOf(req), Number(req.params.number)];
      const answer = await fetch(`${apiUrl}/repos/${repo}/pulls/${number}/${path}`, {
        method: 'PUT',
        headers: { authorization },
      });
      const page = `/${repo}/pull/${number}`;
      if (answer.ok) {
        res.redirect(303, page);
        return;
      }
      const { message = 'GitHub refused the request.' } = (await answer.json()) as { message?: string };
      const key = randomUUID();
      messages.set(key, message);
      res.redirect(303, `${page}?notice=${key}`);
    };
  };
  router.post('/:owner/:repo/pull/:number/merge', requireOwnOrigin, submit('merge'));
  router.post('/:owner/:repo/pull/:number/push', requireOwnOrigin, submit('update-branch'));

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
