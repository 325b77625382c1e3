import { type RequestHandler, Router } from 'express';
import type { ChangedFile, CheckRun } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { readComparison } from './changed-files.ts';
import { html } from './html.ts';
import { sendMissing, sendPage } from './layout.ts';
import { filesPage, runPage } from './pull-page.ts';
import { repositoryOf } from './repository-of.ts';

type Commit = {
  sha: string;
  commit: { message: string; author: { name: string } };
  files?: ChangedFile[];
};

/** The pages of a commit, of a comparison of two commits, and of a check run. */
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
    const heading = html`<h1 dir="auto">${title}</h1>
<p class="muted">${author.name} · <code>${found.sha}</code></p>`;
    sendPage(res, { title, body: filesPage(heading, found.files ?? []) });
  };
  router.get('/:owner/:repo/commit/:sha', showCommit);

  const showComparison: RequestHandler = async (req, res) => {
    const range = String(req.params.range);
    const ends = range.split(/\.{2,3}/).map(encodeURIComponent);
    const found = ends[1] && (await readComparison(emulator, repositoryOf(req), ends.join('...')));
    if (!found) {
      sendMissing(res);
      return;
    }
    const commits = found.commits.map(
      ({ sha, commit }) =>
        html`<li><span class="grow" dir="auto">${commit.message.split('\n')[0]}</span> <code>${sha.slice(0, 8)}</code></li>`,
    );
    const heading = html`<h1>Comparing changes</h1><p class="muted"><code>${range}</code></p>
<section><h2>Commits</h2><ul class="list">${commits}</ul></section>`;
    sendPage(res, { title: `Comparing ${range}`, body: filesPage(heading, found.files) });
  };
  router.get('/:owner/:repo/compare/:range', showComparison);

  return router;
}
