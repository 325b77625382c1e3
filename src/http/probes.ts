import type { RequestHandler } from 'express';
import type { Readiness } from './readiness.ts';

/** `GET /healthz`: the process is alive. */
export const answerAlive: RequestHandler = (_request, response) => {
  response.type('text/plain').send('ok');
};

/** `GET /readyz`: 503 with the reason if the product can't take work now. */
export function answerReadiness(readiness: Readiness): RequestHandler {
  return async (_request, response) => {
    const { isReady, text } = await readiness();
    response.set('Cache-Control', 'no-store').status(isReady ? 200 : 503);
    response.type('text/plain').send(text);
  };
}
