import { type Request, type RequestHandler, type Response, Router } from 'express';
import { requireRepositoryAdministration } from '../administration.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Repository } from '../github-objects.ts';
import type { ProtectedCheck, Protection, ProtectionValues } from '../protections.ts';
import { readRepository } from '../repositories.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

const OTHERS = ['allow_deletions', 'allow_force_pushes', 'required_linear_history', 'lock_branch'] as const;

/** A pull request without reviews: the local GitHub has none to count. */
const NO_REVIEWS = {
  dismiss_stale_reviews: false,
  require_code_owner_reviews: false,
  required_approving_review_count: 0,
  require_last_push_approval: false,
};

const contextsOf = ({ checks }: Pick<Protection, 'checks'>) => (checks ?? []).map(({ context }) => context);

const isWithoutReviews = (reviews: unknown) =>
  (reviews as Partial<typeof NO_REVIEWS>).required_approving_review_count === 0 &&
  Object.entries(reviews as object).every(
    ([name, value]) => value === NO_REVIEWS[name as keyof typeof NO_REVIEWS],
  );

/** The `rule` of a webhook. */
function ruleOf(repo: Repository, protection: Protection) {
  const level = (isOn: boolean) => (isOn ? (protection.enforceAdmins ? 'everyone' : 'non_admins') : 'off');
  return {
    id: protection.id,
    repository_id: repo.id,
    name: protection.branch,
    created_at: protection.created_at,
    updated_at: protection.updated_at,
    pull_request_reviews_enforcement_level: level(protection.needsPull),
    required_approving_review_count: 0,
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    authorized_dismissal_actors_only: false,
    ignore_approvals_from_contributors: false,
    required_status_checks: contextsOf(protection),
    required_status_checks_enforcement_level: level(protection.checks !== null),
    strict_required_status_checks_policy: protection.strict,
    signature_requirement_enforcement_level: 'off',
    linear_history_requirement_enforcement_level: 'off',
    admin_enforced: protection.enforceAdmins,
    allow_force_pushes_enforcement_level: 'off',
    allow_deletions_enforcement_level: 'off',
    merge_queue_enforcement_level: 'off',
    required_deployments_enforcement_level: 'off',
    required_conversation_resolution_level: 'off',
    lock_branch_enforcement_level: 'off',
    authorized_actors_only: false,
    authorized_actor_names: [],
  };
}

/** The `changes` of an `edited` event. */
function changesBetween(before: Protection, after: Protection) {
  const [from, to] = [contextsOf(before), contextsOf(after)];
  return {
    ...(before.enforceAdmins !== after.enforceAdmins && { admin_enforced: { from: before.enforceAdmins } }),
    ...(from.join('\n') !== to.join('\n') && { required_status_checks: { from } }),
  };
}

/**
 * Branch protection that requires checks and pull requests, for administrators and Apps with "Administration". A check that is named by
 * `contexts`, or without an App, comes from the App that set it recently (GitHub: "Update branch protection").
 * `PUT /_local/branch-protections/{owner}/{repo}` with `{ enabled }` switches all of a repository's off and on.
 */
export function protectionRoutes(deps: RouteDeps): Router {
  const { emulator, protections, webhooks, origin, checks: known } = deps;
  const router = Router();
  const path = '/repos/:owner/:repo/branches/*branch/protection';
  const branchOf = (req: Request) => [req.params.branch ?? ''].flat().join('/');

  const send = async (res: Response, repo: Repository, name: string, payload: object) => {
    const repository = await emulator.get(`/repos/${repo.full_name}`);
    const sender = await senderOf(emulator, res);
    webhooks.send(repo.owner.login, { name, payload: { ...payload, repository, sender } });
  };

  const shown = (repo: Repository, protection: Protection) => {
    const url = `${origin}/repos/${repo.full_name}/branches/${encodeURIComponent(protection.branch)}/protection`;
    const { checks, strict } = protection;
    const checksUrl = `${url}/required_status_checks`;
    return {
      url,
      ...(checks && {
        required_status_checks: {
          url: checksUrl,
          strict,
          contexts: contextsOf(protection),
          contexts_url: `${checksUrl}/contexts`,
          checks,
        },
      }),
      ...(protection.needsPull && {
        required_pull_request_reviews: { url: `${url}/required_pull_request_reviews`, ...NO_REVIEWS },
      }),
      enforce_admins: { url: `${url}/enforce_admins`, enabled: protection.enforceAdmins },
      ...Object.fromEntries(OTHERS.map((name) => [name, { enabled: false }])),
    };
  };
  type Shown = ReturnType<typeof shown>;

  /** Sends a part of the protection, or that there is none. */
  const show =
    (partOf: (whole: Shown) => unknown): RequestHandler =>
    async (req, res) => {
      const repo = await readRepository(emulator, req.params);
      const found = repo && protections.find(repo, branchOf(req));
      const part = found && partOf(shown(repo, found));
      if (part) sendWithETag(req, res, part);
      else refuse(res, 404, found ? 'Required status checks not enabled' : 'Branch not protected');
    };

  const change = async (res: Response, repo: Repository, branch: string, values?: ProtectionValues) => {
    const before = protections.find(repo, branch);
    const after = protections.set(repo, branch, values);
    const rule = after ?? before;
    if (!rule) return undefined;
    const action = after ? (before ? 'edited' : 'created') : 'deleted';
    const changes = before && after && { changes: changesBetween(before, after) };
    await send(res, repo, 'branch_protection_rule', { action, rule: ruleOf(repo, rule), ...changes });
    return after;
  };

  /** The checks in a request; undefined if they are invalid. */
  const checksIn = (repo: Repository, value: unknown): ProtectedCheck[] | null | undefined => {
    if (value === null) return null;
    const { contexts = [], checks } = (value ?? {}) as { contexts?: unknown; checks?: unknown };
    const listed = checks ?? (Array.isArray(contexts) ? contexts.map((context) => ({ context })) : undefined);
    if (!Array.isArray(listed)) return undefined;
    return listed.map(({ context, app_id }: { context: string; app_id?: number }) => {
      const latest = known.lastCompletedBy(repo.full_name, context);
      return { context, app_id: app_id === -1 ? null : (app_id ?? latest) };
    });
  };

  const protect: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const exists = await emulator.get(`/repos/${repo?.full_name}/branches/${branchOf(req)}`);
    const body = jsonBodyOf(req);
    const { required_status_checks: given, enforce_admins: admins } = body;
    const { required_pull_request_reviews: reviews, restrictions } = body;
    const checks = repo && checksIn(repo, given);
    const names = [
      'required_status_checks',
      'enforce_admins',
      'required_pull_request_reviews',
      'restrictions',
    ];
    if (!repo || !exists) refuse(res, 404, 'Branch not found');
    else if (names.some((name) => body[name] === undefined) || checks === undefined)
      refuse(res, 422, 'Invalid request.');
    else if (restrictions !== null || (reviews !== null && !isWithoutReviews(reviews)))
      refuse(res, 501, 'The local GitHub protects branches with checks and pull requests only.');
    else {
      const strict = Boolean((given as { strict?: boolean } | null)?.strict);
      const values = { checks, strict, needsPull: reviews !== null, enforceAdmins: admins === true };
      const after = await change(res, repo, branchOf(req), values);
      if (after) res.json(shown(repo, after));
    }
  };

  const unprotect: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    if (!repo || !protections.find(repo, branchOf(req))) {
      refuse(res, 404, 'Branch not protected');
      return;
    }
    await change(res, repo, branchOf(req));
    res.status(204).end();
  };

  const enforce =
    (enforceAdmins: boolean): RequestHandler =>
    async (req, res) => {
      const repo = await readRepository(emulator, req.params);
      const found = repo && protections.find(repo, branchOf(req));
      const after = found && (await change(res, repo, branchOf(req), { ...found, enforceAdmins }));
      if (!after) refuse(res, 404, 'Branch not protected');
      else if (enforceAdmins) res.json(shown(repo, after).enforce_admins);
      else res.status(204).end();
    };

  router.get(path, requireRepositoryAdministration(deps, 'read'));
  router.get(`${path}/*part`, requireRepositoryAdministration(deps, 'read'));
  router.get(
    path,
    show((whole) => whole),
  );
  router.get(
    `${path}/required_status_checks`,
    show((whole) => whole.required_status_checks),
  );
  router.get(
    `${path}/enforce_admins`,
    show((whole) => whole.enforce_admins),
  );
  const mayWrite = requireRepositoryAdministration(deps, 'write');
  router.put(path, mayWrite, readBody, protect).delete(path, mayWrite, unprotect);
  router.post(`${path}/enforce_admins`, mayWrite, enforce(true));
  router.delete(`${path}/enforce_admins`, mayWrite, enforce(false));

  const enable: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    if (!repo) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const isEnabled = jsonBodyOf(req).enabled !== false;
    protections.enable(repo, isEnabled);
    const action = isEnabled ? 'enabled' : 'disabled';
    await send(res, repo, 'branch_protection_configuration', { action });
    res.status(204).end();
  };
  router.put('/_local/branch-protections/:owner/:repo', requireAdmin, readBody, enable);

  return router;
}
