import express, { type RequestHandler } from 'express';
import { requireSession } from '../accounts/session.ts';
import { AppError } from '../app-error.ts';
import type { Call, CallDeps } from './calls.ts';

const BODY_LIMIT = 64 * 1024;

/** The handlers of one product call: type and size of the body, session, the call, its answer. */
export function productCall(deps: CallDeps, call: Call): RequestHandler[] {
  return [
    takenType,
    express.json({ limit: BODY_LIMIT, strict: true }),
    express.urlencoded({ limit: BODY_LIMIT, extended: false, parameterLimit: 50 }),
    async (request, response) => {
      const session = await requireSession(deps.sessions, request.get('authorization'));
      const answer = await call.run(deps, session, request.body);
      response.set('Cache-Control', 'no-store');
      if (typeof answer === 'string') response.type('text/plain').send(answer);
      else response.json(answer);
    },
  ];
}

const takenType: RequestHandler = (request, _response, next) => {
  const isEmpty = request.get('content-length') === '0' || request.get('content-type') === undefined;
  if (!isEmpty && !request.is(['application/json', 'application/x-www-form-urlencoded'])) {
    throw new AppError('unsupportedType');
  }
  next();
};
