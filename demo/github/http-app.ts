import type { Agent } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express';
import { createProxyServer } from 'httpxy';
import { actionsRoutes } from './actions/actions-routes.ts';
import { requireApiAddress } from './api-address.ts';
import { authenticate } from './authenticate.ts';
import { completeAnswers } from './complete-answers.ts';
import { enterpriseServerHeaders, enterpriseServerRoutes } from './enterprise-server.ts';
import { forward, readBody } from './forward.ts';
import { forgetOnWrite } from './kept-reads.ts';
import { limitRate } from './limit-rate.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { refuse, relay } from './responses.ts';
import type { RouteDeps } from './route-deps.ts';
import { accessibleRepositoryRoutes } from './routes/accessible-repository-routes.ts';
import { applicationTokenRoutes } from './routes/application-token-routes.ts';
import { assigneeRoutes } from './routes/assignee-routes.ts';
import { checkRoutes } from './routes/check-routes.ts';
import { collaboratorRoutes } from './routes/collaborator-routes.ts';
import { commitPullRoutes } from './routes/commit-pull-routes.ts';
import { deliveryRoutes } from './routes/delivery-routes.ts';
import { deployKeyRoutes } from './routes/deploy-key-routes.ts';
import { graphqlRoutes } from './routes/graphql-routes.ts';
import { installationRoutes } from './routes/installation-routes.ts';
import { manifestRoutes } from './routes/manifest-routes.ts';
import { membershipRoutes } from './routes/membership-routes.ts';
import { mergeQueueRoutes } from './routes/merge-queue-routes.ts';
import { oauthRoutes } from './routes/oauth-routes.ts';
import { organizationSettingsRoutes } from './routes/organization-settings-routes.ts';
import { permissionRoutes, requirePermission } from './routes/permission-routes.ts';
import { protectionRoutes } from './routes/protection-routes.ts';
import { pullContentRoutes } from './routes/pull-content-routes.ts';
import { pullRoutes } from './routes/pull-routes.ts';
import { pushRoutes } from './routes/push-routes.ts';
import { redirectFormerNames, renameRoutes, resolveRepositoryIds } from './routes/rename-routes.ts';
import { reviewRequestRoutes } from './routes/review-request-routes.ts';
import { reviewRoutes } from './routes/review-routes.ts';
import { ruleSuiteRoutes } from './routes/rule-suite-routes.ts';
import { rulesetRoutes } from './routes/ruleset-routes.ts';
import { singleSignOnRoutes } from './routes/single-sign-on-routes.ts';
import { staleRunRoutes } from './routes/stale-run-routes.ts';
import { teamRoutes } from './routes/team-routes.ts';
import { userRoutes } from './routes/user-routes.ts';
import { addSuites, sendCompletedSuite } from './suites.ts';

/** Browsers call GitHub's API from other origins (GitHub: "Using CORS and JSONP"). */
const allowOrigins: RequestHandler = (req, res, next) => {
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader(
    'access-control-expose-headers',
    'ETag, Link, Location, Retry-After, X-GitHub-SSO, X-RateLimit-Remaining, X-RateLimit-Reset',
  );
  if (req.method !== 'OPTIONS') {
    next();
    return;
  }
  res.setHeader('access-control-allow-methods', 'GET, POST, PATCH, PUT, DELETE');
  res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? '*');
  res.status(204).end();
};

const sendFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) next(error);
  else refuse(res, 502, error instanceof Error ? error.message : 'The local GitHub failed.');
};

function receiveEvent(deps: RouteDeps): RequestHandler {
  return (req, res) => {
    const name = String(req.headers['x-github-event'] ?? '');
    const event = { name, payload: req.body as object };
    deps.webhooks.receive(event);
    // These fail only while the emulator shuts down.
    addSuites(deps, event).catch(() => undefined);
    sendCompletedSuite(deps, event).catch(() => undefined);
    res.status(204).end();
  };
}

function showApp(deps: RouteDeps): RequestHandler {
  return async (req, res) => {
    const answer = await forward(deps.emulator, req);
    const { clientID: client_id } = deps.credentials;
    const app = { ...(answer.json as object), ...(await deps.readApp()), client_id };
    relay(res, answer, answer.status === 200 ? app : undefined);
  };
}

/** GitHub's API and pages. Our routes come first; the emulator answers all other requests. */
export function createHttpApp(deps: RouteDeps, input: { target: string; agent: Agent }): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const routes = Router();
  routes.use(
    oauthRoutes(deps),
    applicationTokenRoutes(deps),
    manifestRoutes(deps),
    pageRoutes(deps),
    authenticate(deps),
    limitRate(deps),
    requirePermission(deps),
    permissionRoutes(deps),
    actionsRoutes(deps),
    protectionRoutes(deps),
    mergeQueueRoutes(deps),
    renameRoutes(deps),
    ruleSuiteRoutes(deps),
    deployKeyRoutes(deps),
    organizationSettingsRoutes(deps),
    rulesetRoutes(deps),
    staleRunRoutes(deps),
    deliveryRoutes(deps),
    installationRoutes(deps),
    singleSignOnRoutes(deps),
    userRoutes(deps),
    accessibleRepositoryRoutes(deps),
    membershipRoutes(deps),
    teamRoutes(deps),
    collaboratorRoutes(deps),
    checkRoutes(deps),
    graphqlRoutes(deps),
    pullContentRoutes(deps),
    commitPullRoutes(deps),
    pullRoutes(deps),
    reviewRequestRoutes(deps),
    reviewRoutes(deps),
    assigneeRoutes(deps),
    pushRoutes(deps),
  );
  routes.get('/app', readBody, showApp(deps));
  app.post(deps.credentials.webhookPath, express.json({ limit: '25mb' }), receiveEvent(deps));
  app.use(
    completeAnswers(deps),
    allowOrigins,
    enterpriseServerHeaders(deps),
    requireApiAddress(deps),
    enterpriseServerRoutes(deps),
    redirectFormerNames(deps),
    resolveRepositoryIds(deps),
    routes,
  );
  const proxy = createProxyServer(input);
  app.use(forgetOnWrite(deps.emulator), (request, response) => proxy.web(request, response));
  app.use(sendFault);
  return app;
}
