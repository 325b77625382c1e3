import { type Request, Router } from 'express';
import { requireAdmin } from './admin.ts';
import { pageOf, refuse } from './answers.ts';
import { jsonBodyOf, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { Repository } from './shapes.ts';

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
 * Rulesets, which the emulator lacks: `GET /repos/{owner}/{repo}/rules/branches/{branch}` lists the rules of a
 * branch, none at first (GitHub: "Get rules for a branch"), and `PUT /_local/rules/{owner}/{repo}/{branch}` with
 * `{ required_status_checks: [{ context, integration_id }] }` makes one. It is shown and refuses no merge.
 */
export function ruleRoutes({ upstream }: Local): Router {
  const router = Router();
  const required = new Map<string, readonly RequiredCheck[]>();

  const readRepository = async (req: Request) => {
    const { owner, repo } = req.params;
    return upstream.get<Repository>(`/repos/${owner}/${repo}`);
  };
  const keyOf = (repo: Repository, req: Request) => `${repo.id}:${[req.params.branch].flat().join('/')}`;

  router.get('/repos/:owner/:repo/rules/branches/*branch', async (req, res) => {
    const repo = await readRepository(req as unknown as Request);
    if (!repo || (repo.private && callerOf(res).kind === 'nobody')) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const checks = required.get(keyOf(repo, req as unknown as Request));
    res.json(pageOf(req as unknown as Request, res, checks ? [ruleOf(repo, checks)] : []));
  });

  router.put('/_local/rules/:owner/:repo/*branch', requireAdmin, readBody, async (req, res) => {
    const repo = await readRepository(req as unknown as Request);
    const { required_status_checks: checks } = jsonBodyOf(req as unknown as Request);
    if (!repo || !Array.isArray(checks)) {
      refuse(res, repo ? 422 : 404, repo ? 'required_status_checks is missing' : 'Not Found');
      return;
    }
    const key = keyOf(repo, req as unknown as Request);
    if (checks.length > 0) required.set(key, checks as RequiredCheck[]);
    else required.delete(key);
    res.json(checks.length > 0 ? [ruleOf(repo, checks as RequiredCheck[])] : []);
  });

  return router;
}
