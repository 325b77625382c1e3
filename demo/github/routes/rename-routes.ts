import { type Request, type RequestHandler, Router } from 'express';
import { createAccessEvents } from '../access-events.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Repository } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

type RedirectDeps = Pick<RouteDeps, 'emulator' | 'apiUrl' | 'formerNames'>;
type RepositoryEvent = { action: string; changes: object };

/** GitHub accepts `/repositories/{id}` instead of `/repos/{owner}/{repo}` in every path; the emulator doesn't. */
export function resolveRepositoryIds({ emulator }: RedirectDeps): RequestHandler {
  return async (req, _res, next) => {
    const [, id, rest = ''] = /^\/repositories\/(\d+)([/?].*)?$/.exec(req.url) ?? [];
    const repo = id === undefined ? undefined : await emulator.get<Repository>(`/repositories/${id}`);
    if (repo) req.url = `/repos/${repo.full_name}${rest}`;
    next();
  };
}

/**
 * Redirects a repository's former name to its id: 301 for reads, 307 for other requests (GitHub: "Follow redirects"),
 * unless another repository has that name now.
 */
export function redirectFormerNames({ emulator, apiUrl, formerNames }: RedirectDeps): RequestHandler {
  return async (req, res, next) => {
    const [, name = '', rest = ''] = /^\/repos\/([^/?]+\/[^/?]+)([/?].*)?$/.exec(req.url) ?? [];
    const id = formerNames.get(name.toLowerCase());
    if (id === undefined || (await emulator.get(`/repos/${name}`))) {
      next();
      return;
    }
    const url = `${apiUrl}/repositories/${id}${rest}`;
    const isRead = ['GET', 'HEAD'].includes(req.method);
    res.status(isRead ? 301 : 307).setHeader('location', url);
    res.json({ message: isRead ? 'Moved Permanently' : 'Temporary Redirect', url });
  };
}

/** The `changes` of an `edited` event, as far as the emulator can make such changes. */
function editsBetween(before: Repository, after: Repository): Record<string, unknown> {
  return {
    ...(before.description !== after.description && { description: { from: before.description } }),
    ...(before.default_branch !== after.default_branch && {
      default_branch: { from: before.default_branch },
    }),
  };
}

function moveOf(before: Repository, after: Repository): RepositoryEvent[] {
  if (before.owner.id !== after.owner.id) {
    const kind = before.owner.type === 'User' ? 'user' : 'organization';
    return [{ action: 'transferred', changes: { owner: { from: { [kind]: before.owner } } } }];
  }
  if (before.name === after.name) return [];
  return [{ action: 'renamed', changes: { repository: { name: { from: before.name } } } }];
}

/** The `repository` events of a request that changed a repository. */
function eventsOf(req: Request, before: Repository, after: Repository): RepositoryEvent[] {
  const edits = editsBetween(before, after);
  const { archived } = jsonBodyOf(req);
  return [
    ...moveOf(before, after),
    ...(Object.keys(edits).length > 0 ? [{ action: 'edited', changes: edits }] : []),
    ...(archived === true ? [{ action: 'archived', changes: {} }] : []),
    ...(archived === false ? [{ action: 'unarchived', changes: {} }] : []),
  ];
}

/** Renames and transfers of a repository: the emulator makes them, and we send the webhooks that GitHub sends. */
export function renameRoutes({ emulator, webhooks, formerNames, installations }: RouteDeps): Router {
  const router = Router();

  const sendAccess = createAccessEvents({ installations, webhooks });

  const change: RequestHandler = async (req, res) => {
    const before = await readRepository(emulator, req.params);
    const answer = await forward(emulator, req);
    const after = before && (await emulator.get<Repository>(`/repositories/${before.id}`));
    if (answer.status < 300 && after) {
      if (before.full_name !== after.full_name) formerNames.set(before.full_name.toLowerCase(), after.id);
      formerNames.delete(after.full_name.toLowerCase());
      const sender = await senderOf(emulator, res);
      if (before.owner.id !== after.owner.id) {
        sendAccess('removed', [before], sender);
        sendAccess('added', [after], sender);
      }
      for (const event of eventsOf(req, before, after)) {
        const payload = { ...event, repository: after, sender };
        webhooks.send(after.owner.login, { name: 'repository', payload });
      }
    }
    relay(res, answer);
  };
  router.patch('/repos/:owner/:repo', readBody, change);
  router.post('/repos/:owner/:repo/transfer', readBody, change);
  return router;
}
