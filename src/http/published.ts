import type { RequestHandler } from 'express';
import { githubId } from '../contract/fields.ts';
import type { ReadPublishedList } from '../receipts/published-list.ts';
import { AppError } from '../shared/app-error.ts';

export const PUBLISHED_LIST_PATH = '/.well-known/otp-guard.json';

const orgId = githubId('missing organization id').optional();

/**
 * The keys that ever signed, and the newest checkpoints: for anyone, and the only answer that a page of another
 * server may read, so that people can verify receipts elsewhere.
 *
 * @throws AppError `malformed` if `org` is no id.
 */
export function answerPublishedList(read: ReadPublishedList): RequestHandler {
  return async (request, response) => {
    const org = orgId.safeParse(request.query.org);
    if (!org.success) throw new AppError('malformed', { sentence: 'missing organization id' });
    const list = await read(org.data);
    response.set('Cache-Control', 'public, max-age=60');
    response.set('Access-Control-Allow-Origin', '*');
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    response.json(list);
  };
}
