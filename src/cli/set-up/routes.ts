import express, { type Request, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { type Admission, isOwnForm, requireHost } from './admission.ts';
import type { Addresses } from './manifest.ts';
import { ONWARD_SCRIPT, sendOnward, sendRefusal, sendRegisteredPage, sendStartPage } from './pages.ts';
import type { Registration } from './registration.ts';
import { STYLE } from './style.ts';

type RouteDeps = { origin: string; addresses: Addresses; admission: Admission; registration: Registration };

const NOT_ADMITTED =
  'Open the address that OTP Guard printed. It works in the first browser that opens it; for another one, start OTP Guard again.';
const FOREIGN = 'This did not come from the set-up page. Open it again and use its button.';

/** The pages under `/set-up`, for the browser that was admitted. */
export function setUpRoutes({ origin, addresses, admission, registration }: RouteDeps): Router {
  const router = Router();
  const requireAdmission: RequestHandler = (request, response, next) => {
    if (admission.isAdmitted(request)) next();
    else sendRefusal(response, { status: 403, sentence: NOT_ADMITTED });
  };
  router.use(requireHost(origin), headers(addresses));
  router.use(['/style.css', '/set-up.js'], (_request, response, next) => {
    // The last page needs the style while the server gives way to OTP Guard.
    response.set('Cache-Control', 'private, max-age=3600');
    next();
  });
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

/** As the dashboard's, but the form may go to GitHub. */
function headers({ serverUrl }: Addresses): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'form-action': ["'self'", serverUrl],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ["'none'"],
      },
    },
    strictTransportSecurity: false,
    // Not `no-referrer`: with that, a browser sends `Origin: null` with our own form.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}
