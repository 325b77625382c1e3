import { type RequestHandler, Router } from 'express';
import { beforeHeaders } from './before-headers.ts';
import { refuse } from './responses.ts';
import type { RouteDeps } from './route-deps.ts';
import { enterpriseVersionOf } from './speaks-as.ts';

/** Since 3.21 there are two versions of the REST API (GitHub: "API versions"). */
const apiVersionsOf = (version: string): string[] =>
  Number(version.split('.')[1]) < 21 ? ['2022-11-28'] : ['2022-11-28', '2026-03-10'];

/**
 * The headers of an Enterprise Server: it names its version in every answer, knows fewer versions of the API, and has
 * no rate limits unless an administrator switches them on (GitHub: "Rate limits for the REST API").
 */
export function enterpriseServerHeaders({ speaksAs }: Pick<RouteDeps, 'speaksAs'>): RequestHandler {
  const version = enterpriseVersionOf(speaksAs);
  if (version === undefined) return (_req, _res, next) => next();
  return (req, res, next) => {
    beforeHeaders(res, () => {
      for (const name of res.getHeaderNames()) if (name.startsWith('x-ratelimit-')) res.removeHeader(name);
      res.setHeader('x-github-enterprise-version', version);
    });
    const wanted = req.headers['x-github-api-version'];
    if (wanted === undefined || apiVersionsOf(version).includes(String(wanted))) next();
    else refuse(res, 400, `Version "${wanted}" is not a supported version.`);
  };
}

/** An Enterprise Server's own answers (GitHub: "Get GitHub Enterprise Server meta information"). */
export function enterpriseServerRoutes({ speaksAs }: Pick<RouteDeps, 'speaksAs'>): Router {
  const router = Router();
  const version = enterpriseVersionOf(speaksAs);
  if (version === undefined) return router;
  router.get('/meta', (_req, res) => {
    res.json({ verifiable_password_authentication: true, installed_version: version });
  });
  router.get('/rate_limit', (_req, res) => refuse(res, 404, 'Rate limiting is not enabled.'));
  return router;
}
