import { randomUUID } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Local } from '../local.ts';
import type { ChangedFile, CheckRun, Pull } from '../shapes.ts';
import { html } from './html.ts';
import { sendMissing, sendPage } from './layout.ts';
import { mailRoutes } from './mail-page.ts';
import { placeRoutes } from './place-routes.ts';
import { filesPage, pullPage, runPage } from './pull-page.ts';
import { avatarOf, REFRESH, STYLE } from './style.ts';

const send = (res: Response, type: string, text: string) => {
  res.setHeader('content-type', `${type}; charset=utf-8`);
  res.setHeader('content-security-policy', "default-src 'none'");
  res.setHeader('x-content-type-options', 'nosniff');
  res.end(text);
};

/** These forms act as octocat: only this origin's own pages may send them. */
const requireOwnOrigin: RequestHandler = (req, res, next) => {
  const { origin, host } = req.headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) {
    next();
    return;
  }
  const body = html`<h1>This form came from another site</h1>`;
  sendPage(res, { title: 'Refused', body, status: 403 });
};

/** The pages that a person sees of the local GitHub. */
export function pageRoutes(local: Local): Router {
  const router = Router();
  const { upstream } = local;
  /** What a form answered, for the next look at the page. */
  const notices = new Map<string, string>();

  router.get('/_local/style.css', (_req, res) => send(res, 'text/css', STYLE));
  router.get('/_local/refresh.js', (_req, res) => send(res, 'text/javascript', REFRESH));
  router.get('/avatars/:kind/:login', (req, res) => send(res, 'image/svg+xml', avatarOf(req.params.login)));

  /** The repository in a path, as it is to be written in another path. */
  const repoOf = ({ params }: Request) =>
    `${encodeURIComponent(String(params.owner))}/${encodeURIComponent(String(params.repo))}`;

  const readPull = (req: Request) =>
    upstream.get<Pull>(`/repos/${repoOf(req)}/pulls/${Number(req.params.number)}`);

  const readChecks = async (pull: Pull) => {
    // Asked of the layer itself: it knows the runs on a fork's commits too.
    const path = `/repos/${pull.base.repo.full_name}/commits/${pull.head.sha}/check-runs?per_page=100`;
    const response = await fetch(`${local.origin}${path}`, {
      headers: { authorization: `Bearer ${local.credentials.adminToken}` },
    });
    if (!response.ok) return [];
    return ((await response.json()) as { check_runs: CheckRun[] }).check_runs;
  };

  router.get('/:owner/:repo/pull/:number', async (req, res) => {
    const pull = await readPull(req);
    if (!pull) {
      sendMissing(res);
      return;
    }
    const key = String(req.query.notice ?? '');
    const notice = notices.get(key);
    notices.delete(key);
    const checks = await readChecks(pull);
    sendPage(res, { title: `${pull.title} · #${pull.number}`, body: pullPage({ pull, checks, notice }) });
  });

  /** Acts on a pull request as octocat, then shows it again, with the refusal if there was one. */
  const act = (path: string): RequestHandler => {
    return async (req, res) => {
      const [repo, number] = [repoOf(req), Number(req.params.number)];
      const answer = await fetch(`${local.origin}/repos/${repo}/pulls/${number}/${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${local.credentials.adminToken}` },
      });
      const page = `/${repo}/pull/${number}`;
      if (answer.ok) {
        res.redirect(303, page);
        return;
      }
      const { message = 'GitHub refused it.' } = (await answer.json()) as { message?: string };
      const key = randomUUID();
      notices.set(key, message);
      res.redirect(303, `${page}?notice=${key}`);
    };
  };
  router.post('/:owner/:repo/pull/:number/merge', requireOwnOrigin, act('merge'));
  router.post('/:owner/:repo/pull/:number/push', requireOwnOrigin, act('update-branch'));

  const showFiles: RequestHandler = async (req, res) => {
    const pull = await readPull(req);
    if (!pull) {
      sendMissing(res);
      return;
    }
    const [repo, from] = [pull.base.repo.full_name, pull.base.sha];
    const compared = await upstream.get<{ files: ChangedFile[] }>(
      `/repos/${repo}/compare/${from}...${pull.head.sha}`,
    );
    const heading = html`<h1>${pull.title} <span class="muted">#${pull.number}</span></h1>
<p><a href="/${repo}/pull/${pull.number}">Back to the pull request</a></p>`;
    sendPage(res, { title: `Files · ${pull.title}`, body: filesPage(heading, compared?.files ?? []) });
  };
  router.get('/:owner/:repo/pull/:number/files', showFiles);
  router.get('/:owner/:repo/pull/:number/changes{/*range}', showFiles);

  const showRun: RequestHandler = async (req, res) => {
    const path = `/repos/${repoOf(req)}/check-runs/${Number(req.params.run)}`;
    const found = await upstream.get<CheckRun>(path);
    if (found) sendPage(res, { title: found.name, body: runPage(found) });
    else sendMissing(res);
  };
  router.get('/:owner/:repo/runs/:run', showRun);
  router.get('/:owner/:repo/commit/:sha/checks/:run', showRun);

  router.get('/:owner/:repo/commit/:sha', async (req, res) => {
    type Commit = {
      sha: string;
      commit: { message: string; author: { name: string } };
      files?: ChangedFile[];
    };
    const sha = encodeURIComponent(req.params.sha);
    const found = await upstream.get<Commit>(`/repos/${repoOf(req)}/commits/${sha}`);
    if (!found) {
      sendMissing(res);
      return;
    }
    const { message, author } = found.commit;
    const heading = html`<h1>${message.split('\n')[0]}</h1>
<p class="muted">${author.name} · <code>${found.sha}</code></p>`;
    sendPage(res, { title: message.split('\n')[0] ?? sha, body: filesPage(heading, found.files ?? []) });
  });

  if (local.mails) router.use(mailRoutes(local.mails));
  router.use(placeRoutes(local));
  return router;
}
