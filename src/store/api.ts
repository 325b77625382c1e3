import express, { type RequestHandler, Router } from 'express';
import { createProxyMiddleware, fixRequestBody } from 'http-proxy-middleware';
import type { CurrentMemberships } from '../accounts/current-memberships.ts';
import type { Sessions } from '../accounts/ports.ts';
import { requireSession, tokenOf } from '../accounts/session.ts';
import { AppError } from '../app-error.ts';
import { isCostly, permit } from './allow-list.ts';
import { createExchange } from './exchange.ts';
import { capStreams } from './streams.ts';

/**
 * The record store's own API, for users, through the allow-list. Sign-in is not
 * passed on but made anew, so that nothing of the client's but the code and its
 * verifier reaches the record store. What the rules decide by memberships is
 * passed on once these are what GitHub says.
 *
 * @param input.signedIn Finishes a sign-in; what it throws undoes the answer.
 */
export function recordStoreApi(
  input: Parameters<typeof createExchange>[0] & { sessions: Sessions; current: CurrentMemberships },
): RequestHandler {
  const { sessions, current, ownRecord } = input;
  const exchange = createExchange(input);
  const forward = createProxyMiddleware({
    target: input.url,
    changeOrigin: true,
    proxyTimeout: 0,
    pathRewrite: (_path, request) => permit(request.method ?? '', originalUrl(request))?.target ?? '/',
    on: {
      proxyReq(outgoing, request) {
        // The one word on who asks that the record store trusts; whatever came in its place is gone.
        outgoing.setHeader('X-Forwarded-For', (request as { ip?: string }).ip ?? '');
        for (const name of ['cookie', 'forwarded', 'x-real-ip', 'x-forwarded-host'])
          outgoing.removeHeader(name);
        fixRequestBody(outgoing, request);
      },
      proxyRes(answer) {
        // Our own headers stand; the record store's would open the door to other origins.
        for (const name of Object.keys(answer.headers)) {
          if (name.startsWith('access-control-') || name === 'x-frame-options') delete answer.headers[name];
        }
      },
      error(_error, _request, response) {
        if (!('writeHead' in response) || response.headersSent) return void response.end();
        const unavailable = new AppError('storeUnavailable');
        response.writeHead(unavailable.status, { 'Content-Type': 'text/plain; charset=utf-8' });
        response.end(unavailable.message);
      },
    },
  });

  /** No session is no error here: the rules show such a visitor nothing. */
  const asMember: RequestHandler = async (request, response, next) => {
    const token = tokenOf(request.get('authorization'));
    const session = token === null ? null : await sessions.read(token);
    if (session) await current(session);
    await forward(request, response, next);
  };

  const own: RequestHandler = async (request, response) => {
    const session = await requireSession(sessions, request.get('authorization'));
    await current(session);
    const { expand } = request.query;
    const token = tokenOf(request.get('authorization')) ?? '';
    const found = await ownRecord(token, typeof expand === 'string' ? expand : undefined);
    if (!found) throw new AppError('missingAuthToken');
    response.set('Cache-Control', 'no-store');
    if (request.method === 'POST') return void response.json(found);
    if (!request.path.endsWith(`/${found.record.id}`)) throw new AppError('notFound');
    response.json(found.record);
  };

  const router = Router();
  router.get('/realtime', capStreams());
  router.post('/realtime', express.json({ limit: 64 * 1024 }), (request, _response, next) => {
    const body = request.body as { subscriptions?: unknown } | undefined;
    if (isCostly(decoded(JSON.stringify(body?.subscriptions ?? [])))) throw new AppError('notFound');
    next();
  });
  router.use((request, response, next) => {
    const permitted = permit(request.method, request.originalUrl);
    if (!permitted) throw new AppError('notFound');
    if (permitted.permission === 'forward') return forward(request, response, next);
    if (permitted.permission === 'member') return asMember(request, response, next);
    if (permitted.permission === 'own') return own(request, response, next);
    next();
  });
  router.use(express.json({ limit: 64 * 1024 }), express.urlencoded({ limit: 64 * 1024, extended: false }));
  router.use(async (request, response) => {
    response.set('Cache-Control', 'no-store').json(await exchange(request.body, request.query.expand));
  });
  return router;
}

function originalUrl(request: object): string {
  return (request as { originalUrl: string }).originalUrl;
}

/** A topic carries its options as an encoded query; what cannot be decoded is looked at as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
