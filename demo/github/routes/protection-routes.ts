import { type RequestHandler, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { APP } from '../credentials.ts';
import { forward, readBody } from '../forward.ts';
import { relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type Protection = {
  required_status_checks: { checks: { context: string; app_id: number | null }[] } | null;
};

/**
 * Branch protection that names a check by `contexts` binds it to the App that set it recently (GitHub: "Update branch
 * protection"). The emulator binds it to nobody.
 */
export function protectionRoutes({ emulator, runs }: Pick<RouteDeps, 'emulator' | 'runs'>): Router {
  const router = Router();
  const protect: RequestHandler = async (req, res, next) => {
    if (callerOf(res).kind !== 'personal') {
      next();
      return;
    }
    const answer = await forward(emulator, req);
    const found = answer.json as Protection | undefined;
    const repo = `${req.params.owner}/${req.params.repo}`;
    for (const check of found?.required_status_checks?.checks ?? [])
      if (runs.isCompleted(repo, check.context)) check.app_id = APP.id;
    relay(res, answer, found);
  };
  router.put('/repos/:owner/:repo/branches/*branch/protection', readBody, protect);
  return router;
}
