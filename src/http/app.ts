import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import type { UnsubscribeLinks } from '../notices/unsubscribe-links.ts';
import type { ReadPublishedList } from '../receipts/published-list.ts';
import { AppError } from '../shared/app-error.ts';
import { errors, withLogContext } from '../shared/log.ts';
import type { LogEventName } from '../shared/log-events.ts';
import { DELETE_PATH, deleteAuthenticator } from './calls/delete-authenticator.ts';
import { type CallRooms, listCalls } from './calls.ts';
import { dashboard } from './dashboard.ts';
import { errorHandler } from './error-handler.ts';
import { type AdmissionDeps, handleCall } from './handle-call.ts';
import { createRequestLimits } from './limits.ts';
import { answerMetrics, type MetricsDeps, measureRequests } from './metrics.ts';
import {
  answerPolicySchema,
  answerPublishedList,
  answerStatusSchema,
  POLICY_SCHEMA_PATH,
  PUBLISHED_LIST_PATH,
  STATUS_SCHEMA_PATH,
} from './published.ts';
import { answerAlive, answerReadiness, endConnections, type Readiness } from './readiness.ts';
import { sameOrigin, securityHeaders } from './security.ts';
import { unsubscribePage } from './unsubscribe.ts';
import { handleWebhook, type WebhookDeps } from './webhooks.ts';

export type HttpDeps = {
  admission: AdmissionDeps;
  /** What the use cases behind the calls need. */
  rooms: CallRooms;
  webhooks: WebhookDeps;
  readiness: Readiness;
  /** Tells whether the process leaves its balancer. */
  isLeaving(): boolean;
  readPublishedList: ReadPublishedList;
  unsubscribeLinks: Pick<UnsubscribeLinks, 'read'>;
  /** The record store's API, behind its allow-list. */
  recordApi: RequestHandler;
  /** The folder of the built dashboard. */
  dashboardDir: string;
  publicUrl: string;
  githubUrl: string;
  githubApiUrl: string;
  /** The page on GitHub that installs the App. */
  installUrl: string;
  version: string;
  trustProxy: boolean | number | string;
  /** Undefined if metrics are off. */
  metrics: MetricsDeps | undefined;
  log: Logger;
  /** How long a request may go unanswered. */
  answerMs?: number | undefined;
};

/** The product's HTTP server: dashboard, product calls, webhooks and the guarded record store. */
export function createHttpApp(deps: HttpDeps): Express {
  const app = express();
  const calls = listCalls(deps.rooms);
  const rateLimits = createRequestLimits(deps.admission);
  app.disable('x-powered-by');
  app.set('trust proxy', deps.trustProxy);
  app.use(logRequests(deps.log));
  app.use((request, _response, next) => withLogContext({ request: String(request.id) }, next));
  app.use(securityHeaders(deps));
  app.use(answerInTime(deps.answerMs));
  app.use(endConnections(deps.isLeaving));
  if (deps.metrics) {
    app.use(measureRequests(deps.metrics, calls));
    app.get('/metrics', answerMetrics(deps.metrics));
  }
  app.get('/healthz', answerAlive);
  app.get('/readyz', answerReadiness(deps.readiness));
  app.get(POLICY_SCHEMA_PATH, answerPolicySchema(deps.publicUrl));
  app.get(STATUS_SCHEMA_PATH, answerStatusSchema(deps.publicUrl));
  app.get(PUBLISHED_LIST_PATH, rateLimits.calls, answerPublishedList(deps.readPublishedList));
  // Otherwise the dashboard would answer these: the record store's own, metrics that are off, a setup that has ended.
  app.use(['/_', '/metrics', '/set-up'], () => {
    throw new AppError('notFound');
  });
  app.post('/api/github/webhooks', handleWebhook(deps.webhooks));
  app.delete(
    DELETE_PATH,
    rateLimits.calls,
    sameOrigin(deps.publicUrl),
    deleteAuthenticator(deps.admission, deps.rooms.authenticators),
  );
  app.use('/api', rateLimits.recordStore, deps.recordApi);
  for (const call of calls) {
    const rateLimit = call.budget ? rateLimits.calls : rateLimits.logout;
    app.post(call.path, rateLimit, sameOrigin(deps.publicUrl), ...handleCall(deps.admission, call));
  }
  app.use(
    unsubscribePage({ links: deps.unsubscribeLinks, inbox: deps.rooms.inbox, limit: rateLimits.calls }),
  );
  app.use(dashboard(deps));
  app.use(errorHandler(deps.log));
  return app;
}

const REQUEST: { event: LogEventName } = { event: 'request' };

/** One line for each request, with an id. Without the query, which can contain a sign-in code. */
function logRequests(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    customSuccessObject: (_request, _response, line) => ({ ...REQUEST, ...line }),
    customErrorObject: (_request, _response, _error, line) => ({ ...REQUEST, ...line }),
    genReqId: () => randomUUID(),
    autoLogging: { ignore: (request) => request.url?.startsWith('/assets/') === true },
    customLogLevel: (_request, response, error) => (error || response.statusCode >= 500 ? 'error' : 'debug'),
    // Otherwise pino's own serializers read the values first, and show every property of an error.
    wrapSerializers: false,
    serializers: {
      ...errors.serializers,
      req: (request: { id: string; method: string; originalUrl: string }) => ({
        id: request.id,
        method: request.method,
        path: request.originalUrl.split('?')[0],
      }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  });
}

/** This is less than the minute after which most proxies answer for us, and the dashboard stops waiting. */
export const ANSWER_MS = 45_000;

/**
 * Answers a request that nothing else answered in time, so that nobody waits without an end. The work that the request
 * began continues. An answer that has begun, such as a stream of events, isn't cut off.
 */
function answerInTime(ms = ANSWER_MS): RequestHandler {
  return (_request, response, next) => {
    const timer = setTimeout(() => {
      if (!response.headersSent) next(new AppError('tookTooLong'));
    }, ms);
    response.once('close', () => clearTimeout(timer));
    next();
  };
}
