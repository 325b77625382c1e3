import type { RequestHandler } from 'express';
import { AppError } from '../app-error.ts';

/**
 * Refuses what a page of another site sends. Authority comes from a header that
 * no other site can set; this closes the door before anyone looks at it.
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
