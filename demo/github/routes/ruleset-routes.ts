import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Repository } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { requireAdmin } from '../require-caller.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import type { RequiredCheck, Ruleset } from '../rulesets.ts';

const CREATED = '2026-01-05T09:00:00Z';

const ruleOf = ({ checks }: Ruleset) => ({
  type: 'required_status_checks',
  parameters: {
    strict_required_status_checks_policy: false,
    do_not_enforce_on_create: false,
    required_status_checks: checks,
  },
});

/** A rule in the list of a branch's rules, which says where it comes from. */
const branchRuleOf = (repo: Repository, ruleset: Ruleset) => {
  const source = { ruleset_source_type: 'Repository', ruleset_source: repo.full_name };
  return { ...ruleOf(ruleset), ...source, ruleset_id: ruleset.id };
};

/** A ruleset in the list of a repository's rulesets. */
const summaryOf = (repo: Repository, { id, branch }: Ruleset, origin: string) => ({
  id,
  name: `Protect ${branch}`,
  target: 'branch',
  source_type: 'Repository',
  source: repo.full_name,
  enforcement: 'active',
  node_id: `${id}`,
  _links: {
    self: { href: `${origin}/repos/${repo.full_name}/rulesets/${id}` },
    html: { href: `${origin}/${repo.full_name}/rules/${id}` },
  },
  created_at: CREATED,
  updated_at: CREATED,
});

const detailsOf = (ruleset: Ruleset) => ({
  bypass_actors: [],
  current_user_can_bypass: 'never',
  conditions: { ref_name: { include: [`refs/heads/${ruleset.branch}`], exclude: [] } },
  rules: [ruleOf(ruleset)],
});

/**
 * Shows rulesets (GitHub: "REST API endpoints for rules"), which everyone can read who can read the repository.
 * `PUT /_local/rules/{owner}/{repo}/{branch}` with `{ required_status_checks: [{ context, integration_id }] }` sets
 * those of a branch.
 */
export function rulesetRoutes({ emulator, rulesets, origin }: RouteDeps): Router {
  const router = Router();
  const branchOf = (req: Request) => [req.params.branch ?? ''].flat().join('/');

  /** The repository, if the caller can read it; sends an error and returns undefined if not. */
  const readable = async (req: Request, res: Response) => {
    const repo = await readRepository(emulator, req.params);
    if (repo && !(repo.private && callerOf(res).kind === 'anonymous')) return repo;
    refuse(res, 404, 'Not Found');
    return undefined;
  };

  const listRules: RequestHandler = async (req, res) => {
    const repo = await readable(req, res);
    if (!repo) return;
    const ruleset = rulesets.find(repo.id, branchOf(req));
    res.json(paginate(req, res, ruleset ? [branchRuleOf(repo, ruleset)] : []));
  };
  router.get('/repos/:owner/:repo/rules/branches/*branch', listRules);

  const list: RequestHandler = async (req, res) => {
    const repo = await readable(req, res);
    if (!repo) return;
    const found = rulesets.ofRepository(repo.id).map((ruleset) => summaryOf(repo, ruleset, origin));
    res.json(paginate(req, res, found));
  };
  router.get('/repos/:owner/:repo/rulesets', list);

  const show: RequestHandler = async (req, res) => {
    const repo = await readable(req, res);
    const found = repo && rulesets.ofRepository(repo.id).find(({ id }) => id === Number(req.params.id));
    if (found) res.json({ ...summaryOf(repo, found, origin), ...detailsOf(found) });
    else if (repo) refuse(res, 404, 'Not Found');
  };
  router.get('/repos/:owner/:repo/rulesets/:id', show);

  const set: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const { required_status_checks: checks } = jsonBodyOf(req);
    if (!repo || !Array.isArray(checks)) {
      refuse(res, repo ? 422 : 404, repo ? 'required_status_checks is missing' : 'Not Found');
      return;
    }
    rulesets.require(repo.id, branchOf(req), checks as RequiredCheck[]);
    const ruleset = rulesets.find(repo.id, branchOf(req));
    res.json(ruleset ? [branchRuleOf(repo, ruleset)] : []);
  };
  router.put('/_local/rules/:owner/:repo/*branch', requireAdmin, readBody, set);

  return router;
}
