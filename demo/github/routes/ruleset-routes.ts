import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  mayAdministrate,
  organizationScope,
  repositoryScope,
  requireOrganizationAdministration,
  requireRepositoryAdministration,
} from '../administration.ts';
import { callerOf } from '../authenticate.ts';
import { bypassModeOf } from '../bypass.ts';
import { APP } from '../credentials.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Repository } from '../github-objects.ts';
import { parseRuleset } from '../parse-ruleset.ts';
import { readRepository } from '../repositories.ts';
import { requireAdmin } from '../require-caller.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { changesBetween } from '../ruleset-changes.ts';
import type { RequiredCheck, Ruleset, RulesetSource, RulesetValues } from '../rulesets.ts';
import { senderOf } from '../sender.ts';

/** Where a request looks for rulesets: an organization, or one of its repositories. */
type Scope = { account: Account; repo?: Repository };

const sourceOf = ({ account, repo }: Scope): RulesetSource =>
  repo
    ? { source_type: 'Repository', sourceId: repo.id }
    : { source_type: 'Organization', sourceId: account.id };

/**
 * Rulesets (GitHub: "REST API endpoints for rules"). Everyone can read those of a repository who can read it; only who
 * may edit one sees its `bypass_actors`. Those of an organization are for its owners.
 * `PUT /_local/rules/{owner}/{repo}/{branch}` with `{ required_status_checks: [{ context, integration_id }] }` sets
 * those of a branch, without a webhook.
 */
export function rulesetRoutes(deps: RouteDeps): Router {
  const { emulator, rulesets, origin, webhooks } = deps;
  const router = Router();
  const branchOf = (req: Request) => [req.params.branch ?? ''].flat().join('/');

  const nameOf = ({ source_type }: Ruleset, { account, repo }: Scope) =>
    source_type === 'Organization' ? account.login : String(repo?.full_name);

  /** A ruleset in a list. */
  const summaryOf = (ruleset: Ruleset, scope: Scope) => {
    const { id, name, target, source_type, enforcement, created_at, updated_at } = ruleset;
    const source = nameOf(ruleset, scope);
    const isOfOrganization = source_type === 'Organization';
    const self = `${origin}/${isOfOrganization ? 'orgs' : 'repos'}/${source}/rulesets/${id}`;
    const html = isOfOrganization
      ? `${origin}/organizations/${source}/settings/rules/${id}`
      : `${origin}/${source}/rules/${id}`;
    const _links = { self: { href: self }, html: { href: html } };
    const times = { created_at, updated_at };
    return { id, name, target, source_type, source, enforcement, node_id: `RRS_${id}`, _links, ...times };
  };
  const wholeOf = (ruleset: Ruleset, scope: Scope) => {
    const { conditions, rules } = ruleset;
    return { ...summaryOf(ruleset, scope), conditions, rules };
  };

  /** One ruleset as this caller sees it. */
  const detailsOf = async (res: Response, ruleset: Ruleset, scope: Scope) => {
    const { bypass_actors } = ruleset;
    const { account, repo } = scope;
    const settings =
      ruleset.source_type === 'Repository' && repo ? repositoryScope(repo) : organizationScope(account);
    const isShown = await mayAdministrate(deps, res, settings, 'write');
    const mode = repo && (await bypassModeOf(deps, res, { repo, actors: bypass_actors }));
    return {
      ...wholeOf(ruleset, scope),
      ...(isShown && { bypass_actors }),
      ...(repo && {
        current_user_can_bypass: mode === 'pull_request' ? 'pull_requests_only' : (mode ?? 'never'),
      }),
    };
  };

  /** The scope, if the caller can read its rulesets; sends an error and returns undefined if not. */
  const readScope = async (req: Request, res: Response): Promise<Scope | undefined> => {
    if (req.params.org !== undefined) {
      const account = await emulator.get<Account>(`/orgs/${req.params.org}`);
      if (account) return { account };
    }
    const repo = req.params.repo === undefined ? undefined : await readRepository(emulator, req.params);
    if (repo && !(repo.private && callerOf(res).kind === 'anonymous')) return { account: repo.owner, repo };
    refuse(res, 404, 'Not Found');
    return undefined;
  };

  const listRules: RequestHandler = async (req, res) => {
    const scope = await readScope(req, res);
    if (!scope?.repo) return;
    const active = rulesets
      .forBranch(scope.repo, branchOf(req))
      .filter(({ enforcement }) => enforcement === 'active');
    const rules = active.flatMap((ruleset) =>
      ruleset.rules.map((rule) => ({
        ...rule,
        ruleset_source_type: ruleset.source_type,
        ruleset_source: nameOf(ruleset, scope),
        ruleset_id: ruleset.id,
      })),
    );
    sendWithETag(req, res, paginate(req, res, rules));
  };
  router.get('/repos/:owner/:repo/rules/branches/*branch', listRules);

  /** The rulesets of the scope, with those of the organization if they are asked for and apply to the repository. */
  const visibleAt = (req: Request, scope: Scope): Ruleset[] =>
    scope.repo && req.query.includes_parents !== 'false'
      ? rulesets.forRepository(scope.repo)
      : rulesets.of(sourceOf(scope));

  const list: RequestHandler = async (req, res) => {
    const scope = await readScope(req, res);
    if (!scope) return;
    const targets = typeof req.query.targets === 'string' ? req.query.targets.split(',') : undefined;
    const found = visibleAt(req, scope).filter(({ target }) => targets?.includes(target) ?? true);
    sendWithETag(
      req,
      res,
      paginate(req, res, found).map((ruleset) => summaryOf(ruleset, scope)),
    );
  };

  const show: RequestHandler = async (req, res) => {
    const scope = await readScope(req, res);
    const found = scope && visibleAt(req, scope).find(({ id }) => id === Number(req.params.id));
    if (found) sendWithETag(req, res, await detailsOf(res, found, scope));
    else if (scope) refuse(res, 404, 'Not Found');
  };

  const sendWebhook = async (res: Response, action: string, ruleset: Ruleset, scope: Scope, more = {}) => {
    const repository = scope.repo && (await emulator.get(`/repos/${scope.repo.full_name}`));
    const sender = await senderOf(emulator, res);
    const payload = {
      action,
      repository_ruleset: wholeOf(ruleset, scope),
      ...more,
      ...(repository !== undefined && { repository }),
      sender,
    };
    webhooks.send(scope.account.login, { name: 'repository_ruleset', payload });
  };

  /** The values in the request; sends an error and returns undefined if GitHub refuses them. */
  const parse = async (req: Request, res: Response, scope: Scope, before?: Ruleset) => {
    const values = parseRuleset(jsonBodyOf(req), sourceOf(scope), before);
    if (typeof values === 'string') {
      refuse(res, 422, `Invalid request.\n\nInvalid property /${values}.`);
      return undefined;
    }
    const stranger = await findStranger(scope.account, values);
    if (!stranger) return values;
    refuse(res, 422, `Actor ${stranger} must be part of the ruleset source or owner organization`);
    return undefined;
  };

  /** The type of an actor that isn't in the organization. */
  const findStranger = async (account: Account, { bypass_actors }: RulesetValues) => {
    const { login } = account;
    const teams = (await emulator.list<{ id: number }>(`/orgs/${login}/teams`)).map(({ id }) => id);
    const others = deps.installations.ofOthers(account).map(({ app_id }) => app_id);
    const apps = deps.installations.findByLogin(login) ? [APP.id, ...others] : others;
    const known: Record<string, number[]> = { Team: teams, Integration: apps };
    return bypass_actors.find(
      ({ actor_type, actor_id }) => !(known[actor_type]?.includes(actor_id ?? 0) ?? true),
    )?.actor_type;
  };

  const create: RequestHandler = async (req, res) => {
    const scope = await readScope(req, res);
    const values = scope && (await parse(req, res, scope));
    if (!values) return;
    const ruleset = rulesets.create(sourceOf(scope), values);
    await sendWebhook(res, 'created', ruleset, scope);
    res.status(201).json(await detailsOf(res, ruleset, scope));
  };

  /** The scope and the ruleset of its own that the request names; sends an error and returns undefined if none. */
  const readOwn = async (req: Request, res: Response) => {
    const scope = await readScope(req, res);
    const ruleset = scope && rulesets.of(sourceOf(scope)).find(({ id }) => id === Number(req.params.id));
    if (ruleset) return { scope, ruleset };
    if (scope) refuse(res, 404, 'Not Found');
    return undefined;
  };

  const update: RequestHandler = async (req, res) => {
    const own = await readOwn(req, res);
    const values = own && (await parse(req, res, own.scope, own.ruleset));
    const after = values && rulesets.update(own.ruleset.id, values);
    if (!after) return;
    await sendWebhook(res, 'edited', after, own.scope, { changes: changesBetween(own.ruleset, after) });
    res.json(await detailsOf(res, after, own.scope));
  };

  const remove: RequestHandler = async (req, res) => {
    const own = await readOwn(req, res);
    if (!own) return;
    rulesets.remove(own.ruleset.id);
    await sendWebhook(res, 'deleted', own.ruleset, own.scope);
    res.status(204).end();
  };

  const [ofRepository, ofOrganization] = ['/repos/:owner/:repo/rulesets', '/orgs/:org/rulesets'];
  const mayWrite = requireRepositoryAdministration(deps, 'write');
  router.use(ofOrganization, requireOrganizationAdministration(deps, 'write'));
  router.use(ofRepository, (req, res, next) => (req.method === 'GET' ? next() : mayWrite(req, res, next)));
  for (const path of [ofRepository, ofOrganization]) {
    router.get(path, list).post(path, readBody, create);
    router.get(`${path}/:id`, show).put(`${path}/:id`, readBody, update).delete(`${path}/:id`, remove);
  }

  const set: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const { required_status_checks: checks } = jsonBodyOf(req);
    if (!repo || !Array.isArray(checks)) {
      refuse(res, repo ? 422 : 404, repo ? 'required_status_checks is missing' : 'Not Found');
      return;
    }
    rulesets.require(repo.id, branchOf(req), checks as RequiredCheck[]);
    res.json(
      rulesets
        .forBranch(repo, branchOf(req))
        .map((ruleset) => wholeOf(ruleset, { account: repo.owner, repo })),
    );
  };
  router.put('/_local/rules/:owner/:repo/*branch', requireAdmin, readBody, set);

  return router;
}
