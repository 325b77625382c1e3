import express, { type RequestHandler, Router } from 'express';
import { AppError } from '../../app-error.ts';
import type { RefreshMemberships } from '../../organizations/refresh-memberships.ts';
import type { Sessions } from '../../people/ports.ts';
import { tokenOf } from '../../people/session.ts';
import { BODY_LIMIT } from '../body-limit.ts';
import { isCostly, permit } from './allow-list.ts';
import { forwardTo } from './forward.ts';
import { limitStreams } from './limit-streams.ts';
import { answerMyUserRecord } from './my-user-record.ts';
import { createOAuthExchange, type OAuthExchangeDeps } from './oauth-exchange.ts';

export type RecordApiDeps = OAuthExchangeDeps & {
  /** The record store's address. */
  url: string;
  sessions: Sessions;
  refreshMemberships: RefreshMemberships;
};

/**
 * The record store's API for users: only what the allow-list permits. We don't
 * forward a sign-in but send our own request, so that only the code and its
 * verifier reach the record store.
 */
export function recordApi(deps: RecordApiDeps): RequestHandler {
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
  router.post('/realtime', express.json({ limit: BODY_LIMIT }), (request, _response, next) => {
    const body = request.body as { subscriptions?: unknown } | undefined;
    if (isCostly(decoded(JSON.stringify(body?.subscriptions ?? [])))) throw new AppError('notFound');
    next();
  });
  router.use((request, response, next) => {
    const permitted = permit(request.method, request.originalUrl);
    if (!permitted) throw new AppError('notFound');
    if (permitted.permission === 'forward') return forward(request, response, next);
    if (permitted.permission === 'member') return asMember(request, response, next);
    if (permitted.permission === 'my-user-record') return myUserRecord(request, response, next);
    next();
  });
  router.use(express.json({ limit: BODY_LIMIT }), express.urlencoded({ limit: BODY_LIMIT, extended: false }));
  router.use(async (request, response) => {
    response.set('Cache-Control', 'no-store').json(await exchange(request.body, request.query.expand));
  });
  return router;
}

/** A subscription's topic contains its options as an encoded query. Text that can't be decoded is returned as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
