import { type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import { html } from '../pages/html.ts';
import { sendPage } from '../pages/layout.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

const isPerson = (res: Response) => ['user', 'personal'].includes(callerOf(res).kind);

/**
 * Organizations behind SAML single sign-on, which hide themselves from people's tokens until those people used it
 * (GitHub: "Authenticating to the REST API"). `PUT /_local/single-sign-on/{org}` with `{ required }` sets it. Opening
 * `/orgs/{org}/sso` is the single sign-on, for everyone.
 */
export function singleSignOnRoutes(deps: Pick<RouteDeps, 'origin' | 'installations' | 'behindSso'>): Router {
  const { origin, installations, behindSso } = deps;
  const router = Router();

  router.put('/_local/single-sign-on/:org', requireAdmin, readBody, (req, res) => {
    const account = installations.findByLogin(String(req.params.org))?.account;
    if (!account) {
      refuse(res, 404, 'Not Found');
      return;
    }
    if (jsonBodyOf(req).required === true) behindSso.set(account.id, account.login);
    else behindSso.delete(account.id);
    res.status(204).end();
  });

  router.get('/orgs/:org/sso', (req, res) => {
    for (const [id, login] of behindSso) if (login === req.params.org) behindSso.delete(id);
    const body = html`<h1>Signed in to ${req.params.org}</h1><p>Go back to OTP Guard and sign in again.</p>`;
    sendPage(res, { title: 'Single sign-on', body });
  });

  const tellPartialResults: RequestHandler = (_req, res, next) => {
    const ids = [...behindSso.keys()].join(',');
    if (ids && isPerson(res)) res.setHeader('x-github-sso', `partial-results; organizations=${ids}`);
    next();
  };
  router.get(['/user/installations', '/user/memberships/orgs'], tellPartialResults);

  router.get(/^\/user\/([0-9]+)$/, (req, res, next) => {
    const login = behindSso.get(Number(req.params[0]));
    if (login === undefined || !isPerson(res)) {
      next();
      return;
    }
    res.setHeader('x-github-sso', `required; url=${origin}/orgs/${login}/sso?authorization_request=local`);
    refuse(res, 403, 'Resource protected by organization SAML enforcement.');
  });
  return router;
}
