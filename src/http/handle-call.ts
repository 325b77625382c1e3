import express, { type RequestHandler } from 'express';
import type { Sessions } from '../people/ports.ts';
import { requirePerson, requireSession, type TokenChecks, tokenOf } from '../people/session.ts';
import { AppError } from '../shared/app-error.ts';
import type { Queues } from '../shared/queues.ts';
import type { Call } from './calls/call.ts';
import { BODY_LIMIT, countCall, type LimitDeps } from './limits.ts';

/** What it takes to let a call in, whichever room answers it. */
export type AdmissionDeps = LimitDeps & {
  sessions: Sessions;
  checkToken: TokenChecks;
  headTurns: Pick<Queues<string>, 'yieldTo'>;
};

/** The handlers of one product call: they check its type and size, parse it, require a session, run it and answer. */
export function handleCall(deps: AdmissionDeps, call: Call): RequestHandler[] {
  return [
    requireAcceptedType,
    express.json({ limit: BODY_LIMIT, strict: true }),
    express.urlencoded({ limit: BODY_LIMIT, extended: false, parameterLimit: 50 }),
    async (request, response) => {
      const authorization = request.get('authorization');
      // First, because without a session nobody gets to know what is wrong with the body.
      const session = await requireSession(deps.sessions, authorization);
      const { path, budget } = call;
      const prepared = call.prepare(request.body);
      const token = tokenOf(authorization) ?? '';
      const storedTargets = () => prepared.storedTargets(session);
      if (budget) await countCall(deps, { ...session, token, path, budget }, { ...prepared, storedTargets });
      const prove = (accessToken?: string) => requirePerson(deps.checkToken, session, accessToken);
      const run = () => prepared.run({ session, prove });
      const answer = await (call.delaysWebhooks ? deps.headTurns.yieldTo(1, run) : run());
      response.set('Cache-Control', 'no-store');
      if (answer === undefined || typeof answer === 'string')
        response.type('text/plain').send(answer ?? 'ok');
      else response.json(answer);
    },
  ];
}

const requireAcceptedType: RequestHandler = (request, _response, next) => {
  const isEmpty = request.get('content-length') === '0' || request.get('content-type') === undefined;
  if (!isEmpty && !request.is(['application/json', 'application/x-www-form-urlencoded'])) {
    throw new AppError('unsupportedType');
  }
  next();
};
