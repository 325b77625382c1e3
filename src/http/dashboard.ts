import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express, { type Request, type Response, Router } from 'express';
import compressedFiles from 'express-static-gzip';
import { AppError } from '../shared/app-error.ts';
import { escapeText, type Html, html } from '../shared/html.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const YEAR_MS = 365 * DAY_MS;

/** Files that browsers and crawlers request by a fixed name. */
const FIXED_NAMES = ['/favicon.ico', '/icon.svg', '/robots.txt'];

/**
 * Serves the built dashboard. Browsers keep its assets for a year, as their
 * names contain a hash, its icons for a day, and check its page for changes
 * each time. The page answers every path, because the dashboard's routes are
 * in the browser; where there is no route, it says so and the status is 404.
 */
export function dashboard(input: {
  dashboardDir: string;
  githubUrl: string;
  githubApiUrl: string;
  installUrl: string;
  version: string;
}): Router {
  const page = readFileSync(join(input.dashboardDir, 'index.html'), 'utf8')
    .replaceAll('%GITHUB_SERVER_URL%', escapeText(input.githubUrl))
    .replaceAll('%GITHUB_API_URL%', escapeText(input.githubApiUrl))
    .replaceAll('%GITHUB_INSTALL_URL%', escapeText(input.installUrl))
    .replaceAll('%FOOTER%', () => pageFooter(input.version).markup);
  const preloads = readPreloads(input.dashboardDir);
  const router = Router();
  router.use(
    '/assets',
    compressedFiles(join(input.dashboardDir, 'assets'), {
      enableBrotli: true,
      index: false,
      serveStatic: { immutable: true, maxAge: YEAR_MS },
    }),
  );
  router.get(FIXED_NAMES, express.static(input.dashboardDir, { index: false, maxAge: DAY_MS }));
  const compress = compressOnce();
  const sendPage = (request: Request, response: Response, pagePath = '') => {
    response.set({ 'Cache-Control': 'no-cache', Vary: 'Cookie, Accept-Encoding' }).type('html');
    const links = preloads.find(({ path }) => isBelow(pagePath, path))?.links ?? '';
    const body = page.replace('%THEME%', themeOf(request)).replace('<!-- %PRELOADS% -->', links);
    if (request.acceptsEncodings('br') !== 'br') response.send(body);
    else response.set('Content-Encoding', 'br').send(compress(body));
  };
  router.get(PAGE_PATHS, (request, response) => sendPage(request, response, request.path));
  router.use((request, response) => {
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !request.path.startsWith('/assets/');
    if (!isPage) throw new AppError('notFound');
    response.status(404);
    sendPage(request, response);
  });
  return router;
}

/** Links to the first files of the pages below each path: their styles, and code that browsers load with the entry. */
function readPreloads(dashboardDir: string): { path: string; links: string }[] {
  const listed: { path: string; files: string[] }[] = JSON.parse(
    readFileSync(join(dashboardDir, 'preloads.json'), 'utf8'),
  );
  const link = (file: string) =>
    `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" href="/${file}">`;
  return listed.map(({ path, files }) => ({ path, links: files.map(link).join('') }));
}

/** There are few pages: one for each theme and each list of links. */
function compressOnce(): (body: string) => Buffer {
  const compressed = new Map<string, Buffer>();
  return (body) => {
    const known = compressed.get(body) ?? brotliCompressSync(body);
    compressed.set(body, known);
    return known;
  };
}

const isBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`);

/**
 * The footer of each page, next to the maker's credit. It's part of the page, so scripts don't load it.
 *
 * @param version Empty if the installation doesn't know it.
 */
const pageFooter = (version: string): Html => html`<span>Version ${version || 'unknown'}</span>
<a href="/authenticator-types" rel="noreferrer">Help</a>
<a href="/verify">Verify a receipt or an export</a>`;

/** The dashboard's pages, as in `web/src/routes/routes.tsx`; a test compares both. Any other address is a 404. */
export const PAGE_PATHS = [
  '/',
  '/login',
  '/oauth',
  '/collect',
  '/collect-passkey',
  '/collect-totp',
  '/deploy',
  '/approve-batch',
  '/register',
  '/register-passkey',
  '/register-phone',
  '/register-security-key',
  '/register-totp',
  '/waiting',
  '/vouch',
  '/add-device',
  '/second-device',
  '/authenticator-types',
  '/verify',
  '/authenticators',
  '/authenticator{/:authType}{/:authId}',
  '/select-org',
  '/email',
  '/image',
  '/org/image',
  '/commit',
  '/org',
  '/org/pulls',
  '/org/roll-out',
  '/org/members',
  '/org/repositories',
  '/org/authenticators',
  '/org/policy',
  '/org/log',
  '/org/hooks',
  '/org/exports',
];

type Theme = 'system' | 'light' | 'dark';

/**
 * The theme that the person chose in this browser. It's in a cookie, so that the page arrives with it: a script that
 * reads local storage would run after the first paint, or hold it up.
 */
function themeOf({ headers }: Pick<Request, 'headers'>): Theme {
  const [, chosen] = /(?:^|; ?)theme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '') ?? [];
  return (chosen as Theme | undefined) ?? 'system';
}
