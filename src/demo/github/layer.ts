import type { Agent } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { refuse, relay } from './answers.ts';
import { applicationTokenRoutes } from './application-tokens.ts';
import { checkRoutes } from './checks.ts';
import { collaboratorRoutes } from './collaborators.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { forward, readBody } from './forward.ts';
import { createGate } from './gate.ts';
import { grantRoutes, requireGrant } from './grants.ts';
import { installationRoutes } from './installations.ts';
import type { Local } from './local.ts';
import { membershipRoutes } from './memberships.ts';
import { mergeQueueRoutes } from './merge-queue.ts';
import { oauthRoutes } from './oauth.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { pullRoutes } from './pulls.ts';
import { followIds, redirectFormerNames, renameRoutes } from './renames.ts';
import { ruleRoutes } from './rules.ts';
import { staleRoutes } from './stale-runs.ts';
import { userRoutes } from './user-routes.ts';

/** Browsers call GitHub's API from other origins (GitHub: "Using CORS and JSONP"). */
const allowOrigins: RequestHandler = (req, res, next) => {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-expose-headers', 'ETag, Link, Location, Retry-After, X-RateLimit-Remaining');
  if (req.method !== 'OPTIONS') {
    next();
    return;
  }
  res.setHeader('access-control-allow-methods', 'GET, POST, PATCH, PUT, DELETE');
  res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? '*');
  res.status(204).end();
};

/** GitHub Enterprise Server has its API under a path of the same origin. */
const dropEnterprisePath: RequestHandler = (req, _res, next) => {
  req.url = req.url.replace(/^\/api\/v3(?=\/)/, '');
  next();
};

const answerFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) next(error);
  else refuse(res, 502, error instanceof Error ? error.message : 'The local GitHub failed.');
};

function eventInbox(local: Local): RequestHandler {
  return (req, res) => {
    const name = String(req.headers['x-github-event'] ?? '');
    local.hooks.receive({ name, payload: req.body as object });
    res.status(204).end();
  };
}

function appRoute(local: Local): RequestHandler {
  return async (req, res) => {
    const answer = await forward(local.upstream, req);
    const owner = await local.upstream.get('/users/octocat');
    const { clientID: client_id } = local.credentials;
    const app = { ...(answer.json as object), ...local.asked, client_id, owner };
    relay(res, answer, answer.status === 200 ? app : undefined);
  };
}

/** The public face: what the emulator lacks, and everything else handed on to it. */
export function createLayer(local: Local, input: { target: string; agent: Agent }): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const routes = Router();
  routes.use(
    oauthRoutes(local),
    applicationTokenRoutes(local),
    pageRoutes(local),
    createGate(local),
    requireGrant(local),
    grantRoutes(local),
    mergeQueueRoutes(local),
    renameRoutes(local),
    ruleRoutes(local),
    staleRoutes(local),
    deliveryRoutes(local),
    installationRoutes(local),
    userRoutes(local),
    membershipRoutes(local),
    collaboratorRoutes(local),
    checkRoutes(local),
    pullRoutes(local),
  );
  routes.get('/app', readBody, appRoute(local));
  app.post(local.credentials.hookPath, express.json({ limit: '25mb' }), eventInbox(local));
  app.use(allowOrigins, dropEnterprisePath, redirectFormerNames(local), followIds(local), routes);
  app.use(createProxyMiddleware({ target: input.target, agent: input.agent }));
  app.use(answerFault);
  return app;
}
