import { type Request, type RequestHandler, Router } from 'express';
import { requireAdmin } from './admin.ts';
import { refuse } from './answers.ts';
import { jsonBodyOf, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { Account, Grants, Installation } from './shapes.ts';

const FORBIDDEN = 'Resource not accessible by integration';

/** Which permission a request needs; reading what everybody may read needs none. */
const NEEDS: readonly [method: RegExp, path: RegExp, permission: string, level: 'read' | 'write'][] = [
  [/^(POST|PATCH)$/, /^\/repos\/[^/]+\/[^/]+\/check-(runs|suites)\b/, 'checks', 'write'],
  [/^GET$/, /^\/orgs\/[^/]+\/(members|memberships)\b/, 'members', 'read'],
  [/^GET$/, /^\/repos\/[^/]+\/[^/]+\/branches\/.+\/protection\b/, 'administration', 'read'],
];

const RANK: Record<string, number> = { read: 1, write: 2, admin: 3 };

const isGranted = ({ permissions }: Grants, permission: string, level: string) =>
  (RANK[permissions[permission] ?? ''] ?? 0) >= (RANK[level] ?? 0);

/** Refuses an installation what its account has not granted. The emulator knows what was granted at the start. */
export function requireGrant({ installations }: Pick<Local, 'installations'>): RequestHandler {
  return (req, res, next) => {
    const caller = callerOf(res);
    const installation = caller.kind === 'installation' && installations.find(caller.installation);
    const need = NEEDS.find(([method, path]) => method.test(req.method) && path.test(req.path));
    if (installation && need && !isGranted(installation, need[2], need[3])) refuse(res, 403, FORBIDDEN);
    else next();
  };
}

function grantsIn(req: Request): Partial<Grants> {
  const { permissions, events } = jsonBodyOf(req);
  return {
    ...(typeof permissions === 'object' && permissions !== null && { permissions: permissions as never }),
    ...(Array.isArray(events) && { events: events.map(String) }),
  };
}

/**
 * What the App asks for and what each account has granted. `PUT /_local/app` changes the first, as the App's
 * owner does; `PUT /_local/installations/{id}` the second, and tells `new_permissions_accepted`. Both take
 * `{ permissions, events }` or one of them. An installation hears of the events that it has granted alone.
 */
export function grantRoutes(local: Local): Router {
  const router = Router();
  const { asked, installations, upstream, hooks } = local;

  router.put('/_local/app', requireAdmin, readBody, (req, res) => {
    Object.assign(asked, grantsIn(req));
    res.json(asked);
  });

  router.put('/_local/installations/:id', requireAdmin, readBody, async (req, res) => {
    const id = Number(req.params.id);
    installations.grant(id, grantsIn(req as unknown as Request));
    const installation: Installation | undefined = installations.find(id);
    if (!installation) {
      refuse(res, 404, 'Not Found');
      return;
    }
    const sender = await upstream.get<Account>('/users/octocat');
    hooks.emit(installation.account.login, {
      name: 'installation',
      payload: { action: 'new_permissions_accepted', installation, sender },
    });
    res.json(installation);
  });

  router.get('/repos/:owner/:repo/branches/*branch/protection', async (req, res, next) => {
    const caller = callerOf(res);
    if (caller.kind !== 'installation') {
      next();
      return;
    }
    // Granted, or it would not have come this far; the emulator does not know that it is.
    const isOwn = installations.on(String(req.params.owner))?.id === caller.installation;
    const found = isOwn && (await upstream.get(req.url));
    if (found) res.json(found);
    else refuse(res, 404, isOwn ? 'Branch not protected' : 'Not Found');
  });

  return router;
}
