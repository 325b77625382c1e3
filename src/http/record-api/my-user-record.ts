import type { RequestHandler } from 'express';
import type { RefreshMemberships } from '../../organizations/refresh-memberships.ts';
import type { ReadMyUserRecord, Sessions } from '../../people/ports.ts';
import { requireSession, tokenOf } from '../../people/session.ts';
import { AppError } from '../../shared/app-error.ts';
import type { AllowList } from './allow-list.ts';

/** Answers the refresh of a session, and the view of a person's own user record. */
export function answerMyUserRecord(deps: {
  sessions: Sessions;
  refreshMemberships: RefreshMemberships;
  readMyUserRecord: ReadMyUserRecord;
  allowList: AllowList;
}): RequestHandler {
  return async (request, response) => {
    const authorization = request.get('authorization');
    const session = await requireSession(deps.sessions, authorization);
    await deps.refreshMemberships(session);
    const found = await deps.readMyUserRecord(tokenOf(authorization) ?? '', deps.allowList.expandOf(request));
    if (!found) throw new AppError('missingAuthToken');
    response.set('Cache-Control', 'no-store');
    if (request.method === 'POST') return void response.json(found);
    if (!request.path.endsWith(`/${found.record.id}`)) throw new AppError('notFound');
    response.json(found.record);
  };
}
