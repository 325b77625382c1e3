import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What a browser may do with our pages: their own scripts, styles and calls, and GitHub's API; no frame, no base. */
export function securityHeaders(places: {
  publicUrl: string;
  githubUrl: string;
  githubApiUrl: string;
}): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'https:', new URL(places.githubUrl).origin],
        'font-src': ["'self'"],
        'manifest-src': ["'self'"],
        'connect-src': ["'self'", new URL(places.githubApiUrl).origin],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'require-trusted-types-for': ["'script'"],
      },
    },
    strictTransportSecurity: places.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}
