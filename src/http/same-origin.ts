import type { RequestHandler } from 'express';
import { AppError } from '../shared/app-error.ts';

/**
 * Refuses requests that another site's page sends. Such a page can't set the
 * `Authorization` header either, so this is a second line of defence.
 */
export function sameOrigin(publicUrl: string): RequestHandler {
  return (request, _response, next) => {
    const origin = request.get('origin');
    const site = request.get('sec-fetch-site');
    const isForeign =
      (origin !== undefined && origin !== publicUrl) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none');
    if (isForeign) throw new AppError('crossSite');
    next();
  };
}
