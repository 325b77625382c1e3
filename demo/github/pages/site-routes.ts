import { type Request, Router } from 'express';
import type { Account, Pull, Repository } from '../github-objects.ts';
import { listRepositories } from '../repositories.ts';
import type { RouteDeps } from '../route-deps.ts';
import { agentForm } from './agent-routes.ts';
import { html } from './html.ts';
import { sendMissing, sendPage } from './layout.ts';
import { MAIL_PATH } from './mail-page.ts';
import { pullItem } from './pull-page.ts';
import { repositoryOf } from './repository-of.ts';
import { runsSection } from './run-routes.ts';

/** The API and the pages share one origin. A path of one or two names is a page only for a browser. */
const isBrowser = (req: Request) => Boolean(req.headers.accept?.includes('text/html'));

/** The start page, people, organizations and repositories: what the product links to. */
export function siteRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, installations } = deps;

  const openPulls = async (repositories: readonly Repository[]) => {
    const lists = await Promise.all(
      repositories.map((repo) => emulator.list<Pull>(`/repos/${repo.full_name}/pulls`)),
    );
    return lists.flat();
  };

  const pullList = (pulls: readonly Pull[]) => html`<section><h2>Open pull requests</h2>
${pulls.length > 0 ? html`<ul class="list">${pulls.map(pullItem)}</ul>` : html`<p class="muted">None.</p>`}
</section>`;

  router.get('/', async (_req, res) => {
    const lists = await Promise.all(
      [...installations.all().map(({ account }) => account), ...installations.without()].map((account) =>
        listRepositories(emulator, account),
      ),
    );
    const mail = deps.mails && html`<p><a href="${MAIL_PATH}">Mail that OTP Guard sent</a></p>`;
    const body = html`<h1>Local GitHub</h1>${pullList(await openPulls(lists.flat()))}${mail}`;
    sendPage(res, { title: 'Local GitHub', body });
  });

  router.get('/:login', async (req, res, next) => {
    const login = encodeURIComponent(req.params.login);
    type Profile = Account & { name: string | null };
    const found =
      isBrowser(req) &&
      ((await emulator.get<Profile>(`/users/${login}`)) ?? (await emulator.get<Profile>(`/orgs/${login}`)));
    if (!found) {
      next();
      return;
    }
    const picture = html`<img src="/avatars/u/${login}" width="40" height="40" alt="">`;
    const body = html`<h1>${picture} ${found.name ?? found.login}</h1>
<p class="muted">${found.login} · ${found.type === 'Organization' ? 'Organization' : 'Person'}</p>`;
    sendPage(res, { title: found.login, body });
  });

  router.get('/:owner/:repo', async (req, res, next) => {
    const { owner, repo } = req.params;
    const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
    const found = isBrowser(req) && (await emulator.get<Repository>(path));
    if (!found) {
      next();
      return;
    }
    const body = html`<h1>${found.full_name}</h1><p class="muted">${found.description}</p>
${agentForm(deps, found)}${await runsSection(deps, found)}${pullList(await openPulls([found]))}`;
    sendPage(res, { title: found.full_name, body });
  });

  /** The open pull requests of a repository; with a commit in the search, those with this head. */
  router.get('/:owner/:repo/pulls', async (req, res) => {
    const found = await emulator.get<Repository>(`/repos/${repositoryOf(req)}`);
    if (!found) {
      sendMissing(res);
      return;
    }
    const [head] = /\b[0-9a-f]{40}\b/.exec(String(req.query.q ?? '')) ?? [];
    const pulls = (await openPulls([found])).filter((pull) => head === undefined || pull.head.sha === head);
    const body = html`<h1>${found.full_name}</h1>${pullList(pulls)}`;
    sendPage(res, { title: `Pull requests · ${found.full_name}`, body });
  });

  return router;
}
