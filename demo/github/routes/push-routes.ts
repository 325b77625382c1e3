import { type Request, type RequestHandler, Router } from 'express';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import { findMissingCheck, missingCheckMessage } from '../missing-check.ts';
import { readRepository } from '../repositories.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** No commit has this hash, and so it has no checks: the one that a change of a file will create. */
const NEW_COMMIT = '0'.repeat(40);

/** Refuses pushes that go around the required checks of a branch, as rulesets do. Nobody may bypass them. */
export function pushRoutes(deps: RouteDeps): Router {
  const router = Router();

  const push = (targetOf: (req: Request) => { branch: string | undefined; sha: string }): RequestHandler => {
    return async (req, res) => {
      const repo = await readRepository(deps.emulator, req.params);
      const { branch = repo?.default_branch ?? '', sha } = targetOf(req);
      const missing = repo && (await findMissingCheck(deps, { repo, branch, sha }));
      if (missing) refuse(res, 409, missingCheckMessage(missing));
      else relay(res, await forward(deps.emulator, req));
    };
  };

  const changeFile = push((req) => {
    const { branch } = jsonBodyOf(req);
    return { branch: typeof branch === 'string' ? branch : undefined, sha: NEW_COMMIT };
  });
  router.put('/repos/:owner/:repo/contents/*path', readBody, changeFile);
  router.delete('/repos/:owner/:repo/contents/*path', readBody, changeFile);

  const moveBranch = push((req) => ({
    branch: [req.params.branch ?? ''].flat().join('/'),
    sha: String(jsonBodyOf(req).sha ?? ''),
  }));
  router.patch('/repos/:owner/:repo/git/refs/heads/*branch', readBody, moveBranch);

  return router;
}
