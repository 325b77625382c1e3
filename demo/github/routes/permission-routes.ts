import { type Request, type RequestHandler, Router } from 'express';
import { createAccessEvents } from '../access-events.ts';
import { ACTIONS_NEEDS } from '../actions/needs.ts';
import { FORBIDDEN, isGranted } from '../administration.ts';
import { callerOf } from '../authenticate.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account, AppAccess } from '../github-objects.ts';
import type { Need } from '../permission-need.ts';
import { listRepositories, readRepository } from '../repositories.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

/** The permission that each request needs. Requests that aren't listed need none. */
const NEEDS: readonly Need[] = [
  ...ACTIONS_NEEDS,
  {
    method: /^(POST|PATCH)$/,
    path: /^\/repos\/[^/]+\/[^/]+\/check-(runs|suites)\b/,
    permission: 'checks',
    level: 'write',
  },
  {
    method: /^GET$/,
    path: /^\/repos\/[^/]+\/[^/]+\/(check-(runs|suites)\b|commits\/.+\/check-(runs|suites)$)/,
    permission: 'checks',
    level: 'read',
    isPublic: true,
  },
  {
    method: /^GET$/,
    path: /^\/orgs\/[^/]+\/(members|memberships|teams)\b/,
    permission: 'members',
    level: 'read',
  },
  {
    method: /^GET$/,
    path: /^\/repos\/[^/]+\/[^/]+\/(commits\/[^/]+\/)?pulls\b/,
    permission: 'pull_requests',
    level: 'read',
  },
  {
    method: /^GET$/,
    path: /^\/repos\/[^/]+\/[^/]+\/(branches(\/[^/]+)?$|(commits|compare|contents|git|readme|tags)\b)/,
    permission: 'contents',
    level: 'read',
    isPublic: true,
  },
];

/** Refuses requests for which the account hasn't granted the permission; the emulator knows only the initial ones. */
export function requirePermission({
  installations,
  emulator,
}: Pick<RouteDeps, 'installations' | 'emulator'>): RequestHandler {
  return async (req, res, next) => {
    const caller = callerOf(res);
    const installation = caller.kind === 'installation' && installations.findAny(caller.installation);
    const need = NEEDS.find(({ method, path }) => method.test(req.method) && path.test(req.path));
    if (!installation || !need) {
      next();
      return;
    }
    const [, owner, repo] = /^\/repos\/([^/]+)\/([^/]+)/.exec(req.path) ?? [];
    const isSelected = installation.repository_selection === 'selected';
    const isAsked = isSelected || need.isPublic;
    const found = isAsked && repo ? await readRepository(emulator, { owner, repo }) : undefined;
    const isMissing = found !== undefined && !installations.includes(installation, found.id);
    const isForAll = need.isPublic && found?.private === false;
    const isAllowed = isForAll || isGranted(installation, need.permission, need.level);
    if (isMissing || !isAllowed) refuse(res, 403, FORBIDDEN);
    else next();
  };
}

/** GitHub leaves out permissions without access. */
const granted = (permissions: object): Record<string, string> =>
  Object.fromEntries(Object.entries(permissions).filter(([, level]) => level !== 'none'));

function accessIn(req: Request): Partial<AppAccess> {
  const { permissions, events } = jsonBodyOf(req);
  return {
    ...(typeof permissions === 'object' && permissions !== null && { permissions: granted(permissions) }),
    ...(Array.isArray(events) && { events: events.map(String) }),
  };
}

/**
 * Changes permissions and events. `PUT /_local/app` changes what the App requests, as the App's owner does on GitHub.
 * `PUT /_local/installations/{id}` changes what an account has granted, and sends `new_permissions_accepted`. Both take
 * `{ permissions, events }` or one of them. An installation receives only the events that it has granted.
 * `PUT /_local/installations/{id}/repositories` with `{ repositories: ["hello"] }`, or null for all, changes which ones
 * the App may access, and sends `installation_repositories`.
 */
export function permissionRoutes({ requested, installations, emulator, webhooks }: RouteDeps): Router {
  const router = Router();

  router.put('/_local/app', requireAdmin, readBody, (req, res) => {
    Object.assign(requested, accessIn(req));
    res.json(requested);
  });

  const grant: RequestHandler = async (req, res) => {
    const id = Number(req.params.id);
    installations.grant(id, accessIn(req));
    const installation = installations.find(id);
    if (!installation) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const sender = await emulator.get<Account>('/users/octocat');
    const payload = { action: 'new_permissions_accepted', installation, sender };
    webhooks.send(installation.account.login, { name: 'installation', payload });
    res.json(installation);
  };
  router.put('/_local/installations/:id', requireAdmin, readBody, grant);

  const sendAccess = createAccessEvents({ installations, webhooks });
  const select: RequestHandler = async (req, res) => {
    const installation = installations.find(Number(req.params.id));
    if (!installation) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const { repositories: names } = jsonBodyOf(req);
    const all = await listRepositories(emulator, installation.account);
    const before = all.filter(({ id }) => installations.includes(installation, id));
    const after = Array.isArray(names) ? all.filter(({ name }) => names.includes(name)) : all;
    installations.select(installation.id, Array.isArray(names) ? after.map(({ id }) => id) : null);
    const sender = await senderOf(emulator, res);
    const [removed, ...othersRemoved] = before.filter((repo) => !after.includes(repo));
    const [added, ...othersAdded] = after.filter((repo) => !before.includes(repo));
    if (removed) sendAccess('removed', [removed, ...othersRemoved], sender);
    if (added) sendAccess('added', [added, ...othersAdded], sender);
    res.json(installations.find(installation.id));
  };
  router.put('/_local/installations/:id/repositories', requireAdmin, readBody, select);

  return router;
}
