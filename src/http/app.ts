import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { AppError } from '../app-error.ts';
import { within } from '../log-context.ts';
import type { Receive } from '../webhook.ts';
import { type CallDeps, calls } from './calls.ts';
import { dashboard } from './dashboard.ts';
import { failure } from './failure.ts';
import { health, type Readiness } from './health.ts';
import { limits } from './limits.ts';
import { type MetricsDeps, measured, metricsPage } from './metrics.ts';
import { productCall } from './product-call.ts';
import { REMOVAL_PATH, removal } from './removal.ts';
import { sameOrigin } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';
import { webhooks } from './webhooks.ts';

export type HttpDeps = {
  calls: CallDeps;
  receive: Receive;
  readiness: Readiness;
  /** Reaches the record store through its allow-list. */
  recordStoreApi: RequestHandler;
  /** The folder of the built dashboard. */
  dashboardDir: string;
  publicUrl: string;
  githubUrl: string;
  githubApiUrl: string;
  /** Where the App is installed, at GitHub. */
  installUrl: string;
  trustProxy: boolean | number | string;
  /** Undefined where nobody asks for them. */
  metrics: MetricsDeps | undefined;
  log: Logger;
};

/** The product's whole HTTP face. */
export function createHttpApp(deps: HttpDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', deps.trustProxy);
  app.use(requestLog(deps.log));
  app.use((request, _response, next) => within({ request: String(request.id) }, next));
  app.use(securityHeaders(deps));
  if (deps.metrics) {
    app.use(measured(deps.metrics));
    app.get('/metrics', metricsPage(deps.metrics));
  }
  app.get('/healthz', health.live);
  app.get('/readyz', health.ready(deps.readiness));
  // The record store's own dashboard is not served, nor are metrics that nobody asked for; they are no pages of ours.
  app.use(['/_', '/metrics'], () => {
    throw new AppError('notFound');
  });
  app.post('/api/github/webhooks', webhooks(deps.receive));
  app.delete(REMOVAL_PATH, limits.calls, sameOrigin(deps.publicUrl), removal(deps.calls));
  app.use('/api', limits.recordStore, deps.recordStoreApi);
  for (const call of calls) {
    app.post(call.path, limits.calls, sameOrigin(deps.publicUrl), ...productCall(deps.calls, call));
  }
  app.use(dashboard(deps));
  app.use(failure(deps.log));
  return app;
}

/** One line for each request, with an id and without its query: a query can hold a code of GitHub's. */
function requestLog(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: () => randomUUID(),
    autoLogging: { ignore: (request) => request.url?.startsWith('/assets/') === true },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'debug'),
    serializers: {
      req: (request: { id: string; method: string; url: string }) => ({
        id: request.id,
        method: request.method,
        path: request.url.split('?')[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  });
}
