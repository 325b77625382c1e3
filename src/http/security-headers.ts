import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { pageStyleSources } from './page-styles.ts';

/** Pages may load only our own scripts and styles, may call only us and GitHub's API, and can't be framed. */
export function securityHeaders(origins: {
  publicUrl: string;
  githubUrl: string;
  githubApiUrl: string;
  dashboardDir: string;
}): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", ...pageStyleSources(origins.dashboardDir)],
        'img-src': ["'self'", 'data:', 'https:', new URL(origins.githubUrl).origin],
        'font-src': ["'self'"],
        'manifest-src': ["'self'"],
        'connect-src': ["'self'", new URL(origins.githubApiUrl).origin],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'require-trusted-types-for': ["'script'"],
      },
    },
    strictTransportSecurity: origins.publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}
