import { type Response, Router } from 'express';
import type { RouteDeps } from '../route-deps.ts';
import { agentRoutes } from './agent-routes.ts';
import { appPageRoutes } from './app-routes.ts';
import { avatarOf } from './avatar.ts';
import { commitPageRoutes } from './commit-routes.ts';
import { environmentPageRoutes } from './environment-routes.ts';
import { mailRoutes } from './mail-page.ts';
import { pullPageRoutes } from './pull-routes.ts';
import { REFRESH } from './refresh.ts';
import { rulePageRoutes } from './rule-routes.ts';
import { runPageRoutes } from './run-routes.ts';
import { signInRoutes } from './sign-in-page.ts';
import { siteRoutes } from './site-routes.ts';
import { STYLE } from './style.ts';

function sendAsset(res: Response, type: string, text: string): void {
  res.setHeader('content-type', `${type}; charset=utf-8`);
  res.setHeader('content-security-policy', "default-src 'none'");
  res.setHeader('x-content-type-options', 'nosniff');
  res.end(text);
}

/** The web pages of the local GitHub. */
export function pageRoutes(deps: RouteDeps): Router {
  const router = Router();
  router.get('/_local/style.css', (_req, res) => sendAsset(res, 'text/css', STYLE));
  router.get('/_local/refresh.js', (_req, res) => sendAsset(res, 'text/javascript', REFRESH));
  router.get('/avatars/:kind/:login', (req, res) =>
    sendAsset(res, 'image/svg+xml', avatarOf(req.params.login)),
  );
  // As on github.com; the dashboard knows only the logins of some authors.
  router.get('/:login.png', (req, res) => sendAsset(res, 'image/svg+xml', avatarOf(req.params.login)));
  router.use(signInRoutes(deps), pullPageRoutes(deps), commitPageRoutes(deps), agentRoutes(deps));
  if (deps.mails) router.use(mailRoutes(deps.mails));
  router.use(
    appPageRoutes(deps),
    rulePageRoutes(deps),
    runPageRoutes(deps),
    environmentPageRoutes(deps),
    siteRoutes(deps),
  );
  return router;
}
