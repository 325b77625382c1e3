import type { RequestHandler } from 'express';

/** Why the product cannot take work now; null where it can. */
export type Readiness = () => Promise<string | null>;

export const health = {
  live: ((_request, response) => {
    response.type('text/plain').send('ok');
  }) satisfies RequestHandler,

  ready:
    (readiness: Readiness): RequestHandler =>
    async (_request, response) => {
      const reason = await readiness();
      response.set('Cache-Control', 'no-store').status(reason === null ? 200 : 503);
      response.type('text/plain').send(reason ?? 'ok');
    },
};
