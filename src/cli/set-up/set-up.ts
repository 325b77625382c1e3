import type { AddressInfo } from 'node:net';
import express, { type Request, type RequestHandler, Router } from 'express';
import { strictHeaders } from '../../http/security.ts';
import { close, listen } from '../../http/server.ts';
import type { Config } from '../../settings/config.ts';
import { type Admission, createAdmission, isOwnForm, randomToken, requireHost } from './admission.ts';
import { LOGO, STYLE } from './logo-and-style.ts';
import { ONWARD_SCRIPT, sendOnward, sendRefusal, sendRegisteredPage, sendStartPage } from './pages.ts';
import { type Addresses, createRegistration, type Registration } from './registration.ts';

type SetUpConfig = Pick<Config, 'host' | 'port' | 'publicUrl' | 'githubUrls' | 'webhookProxyUrl'>;

export type SetUp = Awaited<ReturnType<typeof startSetUp>>;

/**
 * Serves the pages that register the App, on this machine only unless HOST says
 * otherwise. The token is in the path, not in the fragment, so that the pages
 * work without JavaScript. The first page that it opens already has another
 * address, we log none, and GitHub never sees it.
 *
 * @throws StartError if the port can't be used.
 */
export async function startSetUp(
  config: SetUpConfig,
  { envFile, answerMs }: { envFile: string; answerMs?: number },
) {
  const { publicUrl, githubUrls } = config;
  const app = express().disable('x-powered-by');
  const server = await listen(app, { port: config.port, host: config.host ?? 'localhost' });
  const { port } = server.address() as AddressInfo;
  const origin = new URL(`http://${nameOf(config.host)}:${port}`).origin;
  const token = randomToken();
  const addresses = {
    publicUrl,
    webhookUrl: config.webhookProxyUrl ?? `${publicUrl}/api/github/webhooks`,
    serverUrl: githubUrls.serverUrl,
  };
  const registered = new Promise<Record<string, string>>((resolve) => {
    const registration = createRegistration({
      origin,
      addresses,
      apiUrl: githubUrls.apiUrl,
      envFile,
      answerMs,
      onRegistered: ({ settings }) => resolve(settings),
    });
    const admission = createAdmission(token);
    app.use('/set-up', setUpRoutes({ origin, addresses, admission, registration }));
    app.use(headers(addresses), (_request, response) =>
      sendRefusal(response, { status: 404, sentence: NOT_ADMITTED }),
    );
  });
  return {
    /** The address that the operator opens; it has the one-time token. */
    address: `${origin}/set-up/${token}`,
    port,
    /** Resolves when the App's credentials are in `.env`. */
    registered,
    /** Frees the port for the product. */
    close: () => close(server),
  };
}

/** The name of the address that we listen on, as a browser calls it. */
function nameOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

type RouteDeps = { origin: string; addresses: Addresses; admission: Admission; registration: Registration };

const NOT_ADMITTED =
  'Open the address that OTP Guard printed. It works in the first browser that opens it; for another one, start OTP Guard again.';
const FOREIGN = 'This did not come from the set-up page. Open it again and use its button.';

/** The pages under `/set-up`, for the browser that was admitted. */
function setUpRoutes({ origin, addresses, admission, registration }: RouteDeps): Router {
  const router = Router();
  const requireAdmission: RequestHandler = (request, response, next) => {
    if (admission.isAdmitted(request)) next();
    else sendRefusal(response, { status: 403, sentence: NOT_ADMITTED });
  };
  router.use(requireHost(origin), headers(addresses));
  router.use(['/icon.svg', '/style.css', '/set-up.js'], (_request, response, next) => {
    // The last page needs the icon and the style while the server gives way to OTP Guard.
    response.set('Cache-Control', 'private, max-age=3600');
    next();
  });
  router.get('/icon.svg', (_request, response) => void response.type('svg').send(LOGO));
  router.get('/style.css', (_request, response) => void response.type('css').send(STYLE));
  router.get('/set-up.js', (_request, response) => void response.type('js').send(ONWARD_SCRIPT));
  router.get('/', requireAdmission, (_request, response) => {
    const app = registration.app();
    if (app) sendRegisteredPage(response, addresses, app);
    else sendStartPage(response, addresses);
  });
  router.post('/register', requireAdmission, readForm, async (request, response) => {
    if (!isOwnForm(request, origin)) return sendRefusal(response, { status: 403, sentence: FOREIGN });
    const begun = await registration.begin((request.body ?? {}) as Record<string, unknown>);
    if ('problem' in begun) sendStartPage(response, addresses, begun);
    else sendOnward(response, begun);
  });
  router.get('/registered', requireAdmission, async (request, response) => {
    const problem = await registration.finish({ code: text(request, 'code'), state: text(request, 'state') });
    const app = registration.app();
    if (problem) sendRefusal(response, problem);
    else if (app) sendRegisteredPage(response, addresses, app);
  });
  router.get('/:token', (request, response) => {
    if (admission.admit(request, response)) response.redirect(303, '/set-up');
    else sendRefusal(response, { status: 403, sentence: NOT_ADMITTED });
  });
  return router;
}

const readForm = express.urlencoded({ extended: false, limit: '4kb' });

const text = (request: Request, name: string) => {
  const value = request.query[name];
  return typeof value === 'string' ? value : '';
};

/** The dashboard's headers, except that the form may go to GitHub. */
const headers = ({ serverUrl }: Addresses) =>
  strictHeaders({
    directives: { 'form-action': ["'self'", serverUrl], 'img-src': ["'self'"], 'trusted-types': ["'none'"] },
    strictTransportSecurity: false,
    // Not `no-referrer`: with that, a browser sends `Origin: null` with our own form.
    referrerPolicy: 'same-origin',
  });
