import type { RequestHandler } from 'express';
import { requirePerson, requireSession } from '../accounts/session.ts';
import { AppError } from '../app-error.ts';
import { removeAuthenticator } from '../authenticators/removal.ts';
import { stepUp } from '../contract/step-up.ts';
import type { CallDeps } from './calls.ts';
import { parseBody } from './parse-body.ts';

/** The two places that an authenticator's record can be deleted at; the record store itself lets nobody. */
export const REMOVAL_PATH = /^\/api\/collections\/(webauthn|totps)\/records\/([a-z0-9]{15})$/;

/** `DELETE` of an authenticator: a session, the person's GitHub token, and a proof made for this record. */
export function removal(deps: CallDeps): RequestHandler {
  return async (request, response) => {
    const [, collection, id = ''] = REMOVAL_PATH.exec(request.path) ?? [];
    if (collection !== 'webauthn' && collection !== 'totps') throw new AppError('notFound');
    const session = await requireSession(deps.sessions, request.get('authorization'));
    const person = await requirePerson(deps.checkToken, session, request.get('x-github-token'));
    const header = request.get('x-step-up');
    const proof = header === undefined ? undefined : parseBody(stepUp, parseHeader(header));
    await removeAuthenticator(deps, { person, collection, id, proof });
    response.status(204).end();
  };
}

function parseHeader(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed', { cause });
  }
}
