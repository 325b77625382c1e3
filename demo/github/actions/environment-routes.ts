import { type Request, type RequestHandler, type Response, Router } from 'express';
import { findAccount } from '../accounts.ts';
import { requireRepositoryAdministration } from '../administration.ts';
import { APP } from '../credentials.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Repository } from '../github-objects.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { readVisible } from './access.ts';
import { availableApps } from './available-apps.ts';
import { type Environment, MOST_RULES, type Rule } from './environments.ts';
import { environmentBrief } from './run-objects.ts';

type Deps = Pick<RouteDeps, 'installations' | 'origin'>;

const appObject = ({ origin }: Deps, { id, slug }: { id: number; slug: string }) => ({
  id,
  slug,
  integration_url: `${origin}/apps/${slug}`,
  node_id: `A_${id}`,
});

/** A rule as "Get a custom deployment protection rule" shows it. */
function ruleObject(deps: Deps, { id, app }: Rule) {
  const slug = deps.installations.findOtherApp(app)?.slug ?? APP.slug;
  return { id, node_id: `DPR_${id}`, enabled: true, app: appObject(deps, { id: app, slug }) };
}

const LONGEST_TIMER = 43_200;
const isTimer = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LONGEST_TIMER;

const MOST_REVIEWERS = 6;

/** The people that a request names as reviewers; undefined if it names none that can be. */
async function readReviewers(
  emulator: RouteDeps['emulator'],
  named: unknown,
): Promise<Account[] | undefined> {
  if (named === null) return [];
  if (!Array.isArray(named) || named.length > MOST_REVIEWERS) return undefined;
  const read = (named as { type?: string; id?: number }[]).map(({ type, id }) =>
    type === 'User' ? findAccount(emulator, Number(id)) : undefined,
  );
  const people = await Promise.all(read);
  return people.every((one) => one !== undefined) ? people : undefined;
}

/** GitHub's own rules of an environment. */
function ownRules({ id, wait_timer, reviewers, prevent_self_review }: Environment) {
  const listed = reviewers.map((reviewer) => ({ type: 'User', reviewer }));
  const timer = { id: id * 10 + 1, node_id: `GA_${id}1`, type: 'wait_timer', wait_timer };
  const people = { id: id * 10 + 2, node_id: `GA_${id}2`, type: 'required_reviewers' };
  return [
    ...(wait_timer > 0 ? [timer] : []),
    ...(listed.length > 0 ? [{ ...people, prevent_self_review, reviewers: listed }] : []),
  ];
}

/**
 * Environments and their custom rules (GitHub: "REST API endpoints for deployment environments", "… for protection
 * rules"). GitHub answers with `can_admins_bypass` and takes it, and documents neither. It documents limits, but not the
 * statuses of its refusals.
 */
export function environmentRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator, actions } = deps;
  const { environments } = actions;
  const base = '/repos/:owner/:repo/environments';
  const [mayRead, mayWrite] = [
    requireRepositoryAdministration(deps, 'read'),
    requireRepositoryAdministration(deps, 'write'),
  ];

  const shown = (repo: Repository, environment: Environment) => {
    const { can_admins_bypass, created_at, updated_at } = environment;
    const brief = environmentBrief(deps, repo, environment);
    const rules = { protection_rules: ownRules(environment), deployment_branch_policy: null };
    return { ...brief, created_at, updated_at, can_admins_bypass, ...rules };
  };

  type Found = { repo: Repository; environment: Environment };
  const withEnvironment =
    (handle: (req: Request, res: Response, found: Found) => unknown): RequestHandler =>
    async (req, res) => {
      const repo = await readVisible(deps, req, res);
      if (!repo) return;
      const environment = environments.find(repo, String(req.params.environment));
      if (environment) await handle(req, res, { repo, environment });
      else refuse(res, 404, 'Not Found');
    };

  router.get(base, readBody, async (req, res) => {
    const repo = await readVisible(deps, req, res);
    if (!repo) return;
    const all = environments.all(repo);
    const page = paginate(req, res, all).map((one) => shown(repo, one));
    sendWithETag(req, res, { total_count: all.length, environments: page });
  });

  const showOne = withEnvironment((req, res, { repo, environment }) =>
    sendWithETag(req, res, shown(repo, environment)),
  );
  router.get(`${base}/:environment`, readBody, showOne);

  router.put(`${base}/:environment`, mayWrite, readBody, async (req, res) => {
    const repo = await emulator.get<Repository>(`/repos/${req.params.owner}/${req.params.repo}`);
    if (!repo) return;
    const environment = environments.findOrCreate(repo, String(req.params.environment));
    const { can_admins_bypass, prevent_self_review, wait_timer, reviewers } = jsonBodyOf(req);
    if (wait_timer !== undefined && !isTimer(wait_timer))
      return refuse(
        res,
        422,
        `Invalid request. ${wait_timer} is no number of minutes up to ${LONGEST_TIMER}.`,
      );
    const people = reviewers === undefined ? undefined : await readReviewers(emulator, reviewers);
    if (reviewers && !people) return refuse(res, 422, 'Invalid request. Name up to 6 people as reviewers.');
    environments.set(environment, {
      ...(typeof can_admins_bypass === 'boolean' && { can_admins_bypass }),
      ...(typeof prevent_self_review === 'boolean' && { prevent_self_review }),
      ...(isTimer(wait_timer) && { wait_timer }),
      ...(people && { reviewers: people }),
    });
    res.json(shown(repo, environment));
  });

  const rules = `${base}/:environment/deployment_protection_rules`;
  const listRules = withEnvironment((req, res, { environment }) => {
    const custom_deployment_protection_rules = environment.rules.map((rule) => ruleObject(deps, rule));
    sendWithETag(req, res, { total_count: environment.rules.length, custom_deployment_protection_rules });
  });
  router.get(rules, readBody, listRules);

  const listApps = withEnvironment((req, res, { repo }) => {
    const apps = availableApps(deps, repo);
    const page = paginate(req, res, apps).map((app) => appObject(deps, app));
    sendWithETag(req, res, {
      total_count: apps.length,
      available_custom_deployment_protection_rule_integrations: page,
    });
  });
  router.get(`${rules}/apps`, mayRead, readBody, listApps);

  const showRule = withEnvironment((req, res, { environment }) => {
    const rule = environment.rules.find(({ id }) => id === Number(req.params.rule));
    if (rule) sendWithETag(req, res, ruleObject(deps, rule));
    else refuse(res, 404, 'Not Found');
  });
  router.get(`${rules}/:rule`, readBody, showRule);

  const addRule = withEnvironment((req, res, { repo, environment }) => {
    const app = Number(jsonBodyOf(req).integration_id);
    if (!environments.hasRules(repo))
      return refuse(
        res,
        422,
        'Custom deployment protection rules need GitHub Enterprise in a private repository.',
      );
    if (!availableApps(deps, repo).some(({ id }) => id === app))
      return refuse(res, 422, 'This App has no custom deployment protection rule for the repository.');
    if (environment.rules.some((rule) => rule.app === app))
      return refuse(res, 422, 'The custom deployment protection rule is already enabled.');
    if (environment.rules.length >= MOST_RULES)
      return refuse(res, 422, `An environment can have at most ${MOST_RULES} deployment protection rules.`);
    res.status(201).json(ruleObject(deps, environments.addRule(environment, app)));
  });
  router.post(rules, mayWrite, readBody, addRule);

  const removeRule = withEnvironment((req, res, { environment }) => {
    if (environments.removeRule(environment, Number(req.params.rule))) res.status(204).end();
    else refuse(res, 404, 'Not Found');
  });
  router.delete(`${rules}/:rule`, mayWrite, readBody, removeRule);

  return router;
}
