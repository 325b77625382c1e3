import { type RequestHandler, type Response, Router } from 'express';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import { findMissingCheck, missingCheckMessage } from '../missing-check.ts';
import { moveBranchAndHeads } from '../push-to-branch.ts';
import { readRepository } from '../repositories.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** No commit has this hash, and so it has no checks: the one that a change of a file will create. */
const NEW_COMMIT = '0'.repeat(40);

/** Refuses pushes that go around the required checks of a branch, as rulesets do. Nobody may bypass them. */
export function pushRoutes(deps: RouteDeps): Router {
  const router = Router();

  const isAllowed = async (res: Response, update: Parameters<typeof findMissingCheck>[1]) => {
    const missing = await findMissingCheck(deps, update);
    if (missing) refuse(res, 409, missingCheckMessage(missing));
    return !missing;
  };

  const changeFile: RequestHandler = async (req, res) => {
    const repo = await readRepository(deps.emulator, req.params);
    const named = jsonBodyOf(req).branch;
    const branch = typeof named === 'string' ? named : (repo?.default_branch ?? '');
    if (repo && !(await isAllowed(res, { repo, branch, sha: NEW_COMMIT }))) return;
    relay(res, await forward(deps.emulator, req));
  };
  router.put('/repos/:owner/:repo/contents/*path', readBody, changeFile);
  router.delete('/repos/:owner/:repo/contents/*path', readBody, changeFile);

  const moveBranch: RequestHandler = async (req, res) => {
    const repo = await readRepository(deps.emulator, req.params);
    const branch = [req.params.branch ?? ''].flat().join('/');
    if (repo && !(await isAllowed(res, { repo, branch, sha: String(jsonBodyOf(req).sha ?? '') }))) return;
    const answer = repo
      ? await moveBranchAndHeads(deps, { req, res, repo, branch })
      : await forward(deps.emulator, req);
    if ('refused' in answer) refuse(res, 501, answer.refused);
    else relay(res, answer);
  };
  router.patch('/repos/:owner/:repo/git/refs/heads/*branch', readBody, moveBranch);

  return router;
}
