import { type Request, type RequestHandler, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Repository } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { requireAdmin } from '../require-caller.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type RequiredCheck = { context: string; integration_id?: number };

const RULESET_ID = 42;

const ruleOf = (repo: Repository, required_status_checks: readonly RequiredCheck[]) => ({
  type: 'required_status_checks',
  ruleset_source_type: 'Repository',
  ruleset_source: repo.full_name,
  ruleset_id: RULESET_ID,
  parameters: {
    strict_required_status_checks_policy: false,
    do_not_enforce_on_create: false,
    required_status_checks,
  },
});

/**
 * Rulesets, which the emulator lacks. `GET /repos/{owner}/{repo}/rules/branches/{branch}` lists the rules of a branch
 * (GitHub: "Get rules for a branch"). `PUT /_local/rules/{owner}/{repo}/{branch}` with
 * `{ required_status_checks: [{ context, integration_id }] }` sets them. Rules are shown, but don't block a merge.
 */
export function rulesetRoutes({ emulator }: RouteDeps): Router {
  const router = Router();
  const required = new Map<string, readonly RequiredCheck[]>();

  const keyOf = (repo: Repository, req: Request) => `${repo.id}:${[req.params.branch].flat().join('/')}`;
  const rulesOf = (repo: Repository, req: Request) => {
    const checks = required.get(keyOf(repo, req));
    return checks ? [ruleOf(repo, checks)] : [];
  };

  const list: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    if (!repo || (repo.private && callerOf(res).kind === 'anonymous')) {
      refuse(res, 404, 'Not Found');
      return;
    }
    res.json(paginate(req, res, rulesOf(repo, req)));
  };
  router.get('/repos/:owner/:repo/rules/branches/*branch', list);

  const set: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const { required_status_checks: checks } = jsonBodyOf(req);
    if (!repo || !Array.isArray(checks)) {
      refuse(res, repo ? 422 : 404, repo ? 'required_status_checks is missing' : 'Not Found');
      return;
    }
    if (checks.length > 0) required.set(keyOf(repo, req), checks as RequiredCheck[]);
    else required.delete(keyOf(repo, req));
    res.json(rulesOf(repo, req));
  };
  router.put('/_local/rules/:owner/:repo/*branch', requireAdmin, readBody, set);

  return router;
}
