import express, { type RequestHandler } from 'express';
import { requireSession, tokenOf } from '../people/session.ts';
import { AppError } from '../shared/app-error.ts';
import type { Call, CallDeps } from './calls/call.ts';
import { BODY_LIMIT, countCall } from './limits.ts';

/** The handlers of one product call: they check its type and size, parse it, require a session, run it and answer. */
export function handleCall(deps: CallDeps, call: Call): RequestHandler[] {
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
      const storedTargets = () => prepared.storedTargets(deps, session);
      if (budget) await countCall(deps, { ...session, token, path, budget }, { ...prepared, storedTargets });
      const run = () => prepared.run(deps, session);
      const answer = await (budget === 'approval' ? deps.headTurns.yieldTo(1, run) : run());
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
