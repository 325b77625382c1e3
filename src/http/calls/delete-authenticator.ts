import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { AuthenticatorCallDeps } from '../../authenticators/call-deps.ts';
import { removeAuthenticator } from '../../authenticators/remove-authenticator.ts';
import { accessToken } from '../../contract/fields.ts';
import { stepUp } from '../../contract/step-up.ts';
import { requirePerson, requireSession, tokenOf } from '../../people/session.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AdmissionDeps } from '../handle-call.ts';
import { countForSession } from '../limits.ts';
import { parseBody } from './call.ts';

/** The paths at which an authenticator can be deleted. The record store itself refuses every deletion. */
export const DELETE_PATH = /^\/api\/collections\/(webauthn|totps)\/records\/([a-z0-9]{15})$/;

/** Deletes an authenticator. Needs a session, the person's GitHub token, and a step-up for this record. */
export function deleteAuthenticator(admission: AdmissionDeps, deps: AuthenticatorCallDeps): RequestHandler {
  return async (request, response) => {
    const [, collection, id = ''] = DELETE_PATH.exec(request.path) ?? [];
    if (collection !== 'webauthn' && collection !== 'totps') throw new AppError('notFound');
    const authorization = request.get('authorization');
    const session = await requireSession(admission.sessions, authorization);
    const token = tokenOf(authorization) ?? '';
    const path = `/delete/${collection}`;
    await countForSession(admission.limits, { userId: session.userId, token, path, budget: 'revocation' });
    const person = await requirePerson(
      admission.checkToken,
      session,
      parseToken(request.get('x-github-token')),
    );
    const header = request.get('x-step-up');
    const lostSince = parseLostSince(request.get('x-lost-since'));
    const proof = header === undefined ? undefined : parseBody(stepUp, parseHeader(header));
    await removeAuthenticator(deps, { person, collection, id, proof, lostSince });
    response.status(204).end();
  };
}

function parseToken(header: string | undefined): string | undefined {
  const token = accessToken.optional().safeParse(header);
  if (!token.success) throw new AppError('malformed');
  return token.data;
}

/** Parses the time at which the authenticator was lost or stolen (RFC 3339); undefined if it wasn't. */
function parseLostSince(header: string | undefined): Date | undefined {
  if (header === undefined) return undefined;
  const time = z.iso.datetime({ offset: true }).safeParse(header);
  if (!time.success) throw new AppError('wrongLostSince');
  return new Date(time.data);
}

function parseHeader(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed', { cause });
  }
}
