import { Readable } from 'node:stream';
import express, { type Request, type RequestHandler, Router } from 'express';
import { createProxyServer } from 'httpxy';
import type { AllowedQuery } from '../../contract/record-queries.ts';
import type { RefreshMemberships } from '../../organizations/refresh-memberships.ts';
import type { Sessions } from '../../people/ports.ts';
import { requireSession, tokenOf } from '../../people/session.ts';
import { AppError } from '../../shared/app-error.ts';
import { BODY_LIMIT } from '../limits.ts';
import { createAllowList } from './allow-list.ts';
import { limitStreams } from './limit-streams.ts';
import { createOAuthExchange, type OAuthExchangeDeps } from './oauth-exchange.ts';
import { subscriptionsTo } from './subscriptions.ts';

export type RecordApiDeps = OAuthExchangeDeps & {
  /** The record store's address. */
  url: string;
  sessions: Sessions;
  refreshMemberships: RefreshMemberships;
  /** The queries that members may send for each collection that they read. */
  memberQueries: Record<string, AllowedQuery>;
};

/**
 * The record store's API for users: only what the allow-list permits. We don't
 * forward a sign-in but send our own request, so that only the code and its
 * verifier reach the record store.
 */
export function recordApi(deps: RecordApiDeps): RequestHandler {
  const permit = createAllowList(deps.memberQueries);
  const subscriptions = subscriptionsTo(deps.memberQueries);
  const forward = forwardTo(deps.url);
  const exchange = createOAuthExchange(deps);
  const myUserRecord = answerMyUserRecord(deps);

  /** A missing session isn't an error here: the collection rules show such a visitor nothing. */
  const asMember: RequestHandler = async (request, response, next) => {
    const token = tokenOf(request.get('authorization'));
    const session = token === null ? null : await deps.sessions.read(token);
    if (session) await deps.refreshMemberships(session);
    await forward(request, response, next);
  };

  const router = Router();
  router.get('/realtime', limitStreams());
  router.post(
    '/realtime',
    express.json({ limit: BODY_LIMIT, inflate: false }),
    (request, _response, next) => {
      const parsed = subscriptions.safeParse(request.body);
      if (!parsed.success) throw new AppError('notFound');
      // Only the parsed body is sent on: the record store also reads other spellings of the fields.
      request.body = parsed.data;
      next();
    },
  );
  router.use((request, response, next) => {
    const permitted = permit(request.method, request.originalUrl);
    if (!permitted || (request.method === 'GET' && hasBody(request))) throw new AppError('notFound');
    const { permission, target, expand } = permitted;
    response.locals = { target, expand };
    if (permission === 'forward') return forward(request, response, next);
    if (permission === 'member') return asMember(request, response, next);
    if (permission === 'my-user-record') return myUserRecord(request, response, next);
    next();
  });
  router.use(express.json({ limit: BODY_LIMIT }), express.urlencoded({ limit: BODY_LIMIT, extended: false }));
  router.use(async (request, response) => {
    response.set('Cache-Control', 'no-store').json(await exchange(request.body, response.locals.expand));
  });
  return router;
}

/** Queries are in the address; the body of a read could only be another one, in a form. */
const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Answers the refresh of a session, and the view of a person's own user record. */
function answerMyUserRecord(deps: RecordApiDeps): RequestHandler {
  return async (request, response) => {
    const authorization = request.get('authorization');
    const session = await requireSession(deps.sessions, authorization);
    await deps.refreshMemberships(session);
    const found = await deps.readMyUserRecord(tokenOf(authorization) ?? '', response.locals.expand);
    if (!found) throw new AppError('missingAuthToken');
    response.set('Cache-Control', 'no-store');
    if (request.method === 'POST') return void response.json(found);
    if (!request.path.endsWith(`/${found.record.id}`)) throw new AppError('notFound');
    response.json(found.record);
  };
}

/** Forwards a permitted request to the record store at `url`, with the target that the allow-list returned. */
function forwardTo(url: string): RequestHandler {
  // A connection for each request, because a shared pool would let open streams use up those of other requests.
  const proxy = createProxyServer({ target: url, changeOrigin: true, agent: false });
  proxy.on('proxyRes', (answer) => {
    // Only our own headers apply: the record store's would allow other origins.
    for (const name of Object.keys(answer.headers)) {
      if (name.startsWith('access-control-') || name === 'x-frame-options') delete answer.headers[name];
    }
  });
  return async (request, response) => {
    const { headers } = request;
    for (const name of ['cookie', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'expect'])
      delete headers[name];
    // The record store takes the client's address from this header, so a client's own header is overwritten.
    headers['x-forwarded-for'] = request.ip ?? '';
    request.url = response.locals.target ?? '/';
    const body = request.body === undefined ? null : Buffer.from(JSON.stringify(request.body));
    if (body) headers['content-length'] = String(body.length);
    try {
      await proxy.web(request, response, body ? { buffer: Readable.from([body]) } : {});
    } catch (cause) {
      throw new AppError('storeUnavailable', { cause });
    }
  };
}
