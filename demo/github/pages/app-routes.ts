import express, { type Request, type RequestHandler, Router } from 'express';
import type { RouteDeps } from '../route-deps.ts';
import { appPageOf } from '../speaks-as.ts';
import { html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';

const readForm = express.urlencoded({ extended: false, limit: '1mb' });
const fieldOf = ({ body }: Request, name: string) => String((body as Record<string, unknown>)?.[name] ?? '');

/** The pages on which owners install the App. */
export function appPageRoutes(deps: RouteDeps): Router {
  const { installations, apiUrl, credentials } = deps;
  const router = Router();
  const { pathname } = new URL(appPageOf(deps.speaksAs, deps.origin, ':slug'));
  const installPath = `${pathname}/installations/new`;

  const showApp: RequestHandler = (req, res) => {
    const installed = installations.all().map(
      ({
        account,
        suspended_at,
      }) => html`<li><img src="/avatars/o/${account.login}" width="20" height="20" alt="">
<a class="grow" href="/${account.login}">${account.login}</a> ${suspended_at && 'Suspended'}</li>`,
    );
    const action = installPath.replace(':slug', String(req.params.slug));
    const others = installations.without().map(
      ({ login }) => html`<li><img src="/avatars/o/${login}" width="20" height="20" alt="">
<a class="grow" href="/${login}">${login}</a>
<form method="post" action="${action}"><input type="hidden" name="account" value="${login}">
<button class="primary">Install on ${login}</button></form></li>`,
    );
    const body = html`<h1>OTP Guard</h1>
${others.length > 0 && html`<section><h2>Install it on all repositories</h2><ul class="list">${others}</ul></section>`}
<section><h2>Installed on</h2>
${installed.length > 0 ? html`<ul class="list">${installed}</ul>` : html`<p class="muted">No account.</p>`}</section>`;
    sendPage(res, { title: 'OTP Guard', body, formTarget: new URL(deps.setupUrl).origin });
  };
  for (const path of [pathname, installPath]) router.get(path, showApp);
  for (const path of ['/organizations/:org/settings/installations/:id', '/settings/installations/:id'])
    router.get(path, (req, res, next) => {
      req.params.slug = 'otp-guard';
      showApp(req, res, next);
    });

  router.post(installPath, requireOwnOrigin, readForm, async (req, res) => {
    const answer = await fetch(`${apiUrl}/_local/installations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credentials.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account: fieldOf(req, 'account') }),
    });
    if (!answer.ok) return sendMissing(res);
    const { id } = (await answer.json()) as { id: number };
    res.redirect(303, `${deps.setupUrl}?installation_id=${id}&setup_action=install`);
  });

  return router;
}
