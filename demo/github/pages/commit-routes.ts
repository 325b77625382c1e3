import { type RequestHandler, Router } from 'express';
import type { ChangedFile, CheckRun } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { html } from './html.ts';
import { sendMissing, sendPage } from './layout.ts';
import { filesPage, runPage } from './pull-page.ts';
import { repositoryOf } from './repository-of.ts';

type Commit = {
  sha: string;
  commit: { message: string; author: { name: string } };
  files?: ChangedFile[];
};

/** The pages of a commit and of a check run. */
export function commitPageRoutes({ emulator }: RouteDeps): Router {
  const router = Router();

  const showRun: RequestHandler = async (req, res) => {
    const path = `/repos/${repositoryOf(req)}/check-runs/${Number(req.params.run)}`;
    const found = await emulator.get<CheckRun>(path);
    if (found) sendPage(res, { title: found.name, body: runPage(found) });
    else sendMissing(res);
  };
  router.get('/:owner/:repo/runs/:run', showRun);
  router.get('/:owner/:repo/commit/:sha/checks/:run', showRun);

  const showCommit: RequestHandler = async (req, res) => {
    const sha = encodeURIComponent(String(req.params.sha));
    const found = await emulator.get<Commit>(`/repos/${repositoryOf(req)}/commits/${sha}`);
    if (!found) {
      sendMissing(res);
      return;
    }
    const { message, author } = found.commit;
    const [title = sha] = message.split('\n');
    const heading = html`<h1>${title}</h1>
<p class="muted">${author.name} · <code>${found.sha}</code></p>`;
    sendPage(res, { title, body: filesPage(heading, found.files ?? []) });
  };
  router.get('/:owner/:repo/commit/:sha', showCommit);

  return router;
}
