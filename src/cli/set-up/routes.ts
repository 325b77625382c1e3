import express, { type Request, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { type Admission, isOwnForm, requireHost } from './admission.ts';
import { sendRefusal } from './layout.ts';
import { sendOnward, sendStartPage } from './pages.ts';
import type { Facts } from './progress.ts';
import {
  type BeginDeps,
  beginRegistration,
  type FinishDeps,
  finishRegistration,
  type Problem,
} from './registration.ts';
import { SCRIPT } from './script.ts';
import { type StepDeps, stepRoutes } from './step-routes.ts';
import { STYLE } from './style.ts';

export type RouteDeps = BeginDeps &
  FinishDeps &
  StepDeps & { origin: string; facts: Facts; admission: Admission };

const NOT_ADMITTED =
  'Open the address that OTP Guard printed. It works in the first browser that opens it; for another one, start OTP Guard again.';
const FOREIGN = 'This did not come from the set-up page. Open it again and use its button.';

/**
 * The pages under `/set-up`. Once the App is registered, only the steps are left, for the browser that was admitted; and
 * when they are done, nobody else is admitted.
 */
export function setUpRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { admission, progress } = deps;
  const pass: RequestHandler = (_request, _response, next) => next('router');
  router.use(requireHost(deps.origin, pass), headers(deps.facts));
  router.get('/style.css', (_request, response) => void response.type('css').send(STYLE));
  router.get('/set-up.js', (_request, response) => void response.type('js').send(SCRIPT));
  router.use(stepRoutes(deps));
  router.get('/:token', (request, response, next) => {
    if (progress().phase === 'register') return next();
    const isOpen = progress().phase !== 'done' && admission.admit(request, response);
    return isOpen ? response.redirect(303, '/set-up/steps') : next('router');
  });
  router.use((_request, _response, next) => next(progress().phase === 'register' ? undefined : 'router'));
  router.use(registrationRoutes(deps));
  return router;
}

/** Finishes one registration after the other, and none after one succeeded: there is one App. */
function createFinish(deps: RouteDeps) {
  let last: Promise<unknown> = Promise.resolve();
  return (input: { code: string; state: string }): Promise<Problem | null> => {
    const next = last.then(() =>
      deps.progress().phase === 'register' ? finishRegistration(deps, input) : null,
    );
    last = next.catch(() => undefined);
    return next;
  };
}

/** The pages that end once the App is registered. */
function registrationRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { admission, facts, origin } = deps;
  const finish = createFinish(deps);
  const requireAdmission: RequestHandler = (request, response, next) => {
    if (admission.isAdmitted(request)) next();
    else sendRefusal(response, 403, NOT_ADMITTED);
  };
  router.get('/', requireAdmission, (_request, response) => sendStartPage(response, facts));
  router.post('/register', requireAdmission, readForm, async (request, response) => {
    if (!isOwnForm(request, origin)) {
      sendRefusal(response, 403, FOREIGN);
      return;
    }
    const begun = await beginRegistration(deps, (request.body ?? {}) as Record<string, unknown>);
    if ('problem' in begun) sendStartPage(response, facts, begun);
    else sendOnward(response, begun);
  });
  router.get('/registered', requireAdmission, async (request, response) => {
    const problem = await finish({ code: text(request, 'code'), state: text(request, 'state') });
    if (problem === null) response.redirect(303, '/set-up/steps');
    else sendRefusal(response, problem.status, problem.sentence, problem.next);
  });
  router.get('/:token', (request, response) => {
    if (admission.admit(request, response)) response.redirect(303, '/set-up');
    else sendRefusal(response, 403, NOT_ADMITTED);
  });
  return router;
}

const readForm = express.urlencoded({ extended: false, limit: '4kb' });

const text = (request: Request, name: string) => {
  const value = request.query[name];
  return typeof value === 'string' ? value : '';
};

/** As the dashboard's, but the form may go to GitHub. */
function headers({ serverUrl }: Facts): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'connect-src': ["'self'"],
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
