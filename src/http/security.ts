import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { AppError } from '../shared/app-error.ts';

/** Pages may load only our own scripts and styles, may call only us and GitHub's API, and can't be framed. */
export const securityHeaders = (origins: {
  publicUrl: string;
  githubUrl: string;
  githubApiUrl: string;
}): RequestHandler =>
  strictHeaders({
    directives: {
      'img-src': ["'self'", ...pictureSources(origins)],
      'font-src': ["'self'"],
      'manifest-src': ["'self'"],
      'connect-src': ["'self'", new URL(origins.githubApiUrl).origin],
      'trusted-types': ['verify-worker'],
      // Scripts send every form. If one failed to, the browser would put what was typed into an address.
      'form-action': ["'none'"],
    },
    strictTransportSecurity: origins.publicUrl.startsWith('https:'),
    referrerPolicy: 'no-referrer',
  });

/**
 * The headers of pages that run only our own scripts and styles, and that no other page frames.
 *
 * @param input.directives The pages' permissions beyond that, in the words of Content-Security-Policy.
 */
export function strictHeaders(input: {
  directives: Record<string, string[]>;
  strictTransportSecurity: boolean;
  referrerPolicy: 'no-referrer' | 'same-origin';
}): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        ...input.directives,
      },
    },
    strictTransportSecurity: input.strictTransportSecurity,
    referrerPolicy: { policy: input.referrerPolicy },
    xFrameOptions: { action: 'deny' },
  });
}

/**
 * Where GitHub has people's pictures: on its own host, and with subdomain isolation or data residency on one below it
 * (docs.github.com, "Enabling subdomain isolation", "Network details for GHE.com"). Only an Enterprise Server has its
 * API on the host of its pages; any other GitHub also uses hosts that are the same for everybody.
 */
function pictureSources({ githubUrl, githubApiUrl }: { githubUrl: string; githubApiUrl: string }): string[] {
  const { origin, protocol, host } = new URL(githubUrl);
  const below = host === 'github.com' ? [] : [`${protocol}//avatars.${host}`];
  const isServer = new URL(githubApiUrl).origin === origin;
  return [origin, ...below, ...(isServer ? [] : SHARED_PICTURE_HOSTS)];
}

/** The second one has those of enterprise-managed users. */
const SHARED_PICTURE_HOSTS = [
  'https://avatars.githubusercontent.com',
  'https://private-avatars.githubusercontent.com',
];

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
