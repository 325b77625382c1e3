import { type RequestHandler, type Response, Router } from 'express';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import { moveHeads } from '../push-to-branch.ts';
import { readRepository } from '../repositories.ts';
import { type BranchUpdate, evaluateRules } from '../required-checks.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** No commit has this hash, and so it has no checks: the commit that a change of a file will create. */
const NEW_COMMIT = '0'.repeat(40);

/** Refuses pushes that go around what a branch requires, except by who may bypass its rules. A push moves pull requests. */
export function pushRoutes(deps: RouteDeps): Router {
  const router = Router();

  /** The rules' judgement; undefined if it refused the push. */
  const judge = async (res: Response, update: BranchUpdate) => {
    const rules = await evaluateRules(deps, res, { ...update, isPull: false });
    if (rules.refusal === undefined) return rules;
    refuse(res, 409, rules.refusal);
    return undefined;
  };

  const changeFile: RequestHandler = async (req, res) => {
    const repo = await readRepository(deps.emulator, req.params);
    const named = jsonBodyOf(req).branch;
    const branch = typeof named === 'string' ? named : (repo?.default_branch ?? '');
    const rules = repo && (await judge(res, { repo, branch, sha: NEW_COMMIT }));
    if (repo && !rules) return;
    const answer = await forward(deps.emulator, req);
    const after = (answer.json as { commit?: { sha: string } } | undefined)?.commit?.sha;
    if (after) rules?.record(after);
    if (after && repo) await moveHeads(deps, res, { repo, branch, sha: after });
    relay(res, answer);
  };
  router.put('/repos/:owner/:repo/contents/*path', readBody, changeFile);
  router.delete('/repos/:owner/:repo/contents/*path', readBody, changeFile);

  const moveBranch: RequestHandler = async (req, res) => {
    // Clients may send the ref as one segment: `heads%2Fmain`.
    const ref = [req.params.ref ?? ''].flat().join('/');
    const branch = ref.replace(/^heads\//, '');
    const repo = branch === ref ? undefined : await readRepository(deps.emulator, req.params);
    const sha = String(jsonBodyOf(req).sha ?? '');
    const rules = repo && (await judge(res, { repo, branch, sha }));
    if (repo && !rules) return;
    const answer = await forward(deps.emulator, req);
    if (answer.status === 200) rules?.record(sha);
    if (answer.status === 200 && repo) await moveHeads(deps, res, { repo, branch, sha });
    relay(res, answer);
  };
  router.patch('/repos/:owner/:repo/git/refs/*ref', readBody, moveBranch);

  return router;
}
