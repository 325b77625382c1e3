import type { RequestHandler } from 'express';
import { COMMIT, VERSION } from '../shared/version.ts';
import type { Readiness } from './readiness.ts';

/** `GET /healthz`: the process is alive, and which one it is; `commit` is null only for sources. */
export const answerAlive: RequestHandler = (_request, response) => {
  response
    .set('Cache-Control', 'no-store')
    .json({ status: 'ok', version: VERSION || null, commit: COMMIT || null });
};

/** `GET /readyz`: 503 with the reason if the product can't take work now. */
export function answerReadiness(readiness: Readiness): RequestHandler {
  return async (_request, response) => {
    const { isReady, text } = await readiness();
    response.set('Cache-Control', 'no-store').status(isReady ? 200 : 503);
    response.type('text/plain').send(text);
  };
}

/** While the process leaves, each answer ends its connection, so a balancer that keeps connections sends nothing into them. */
export function endConnections(isLeaving: () => boolean): RequestHandler {
  return (_request, response, next) => {
    if (isLeaving()) response.set('Connection', 'close');
    next();
  };
}
