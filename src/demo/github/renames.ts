import { type RequestHandler, Router } from 'express';
import { relay } from './answers.ts';
import { forward, jsonBodyOf, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { Account, Repository } from './shapes.ts';

type Named = Pick<Local, 'upstream' | 'origin' | 'formerNames'>;

/** Every path of a repository is there under its id too; the emulator knows the first only. */
export function followIds({ upstream }: Named): RequestHandler {
  return async (req, _res, next) => {
    const [, id, rest] = /^\/repositories\/(\d+)(\/.*)$/.exec(req.url) ?? [];
    const repo = id === undefined ? undefined : await upstream.get<Repository>(`/repositories/${id}`);
    if (repo) req.url = `/repos/${repo.full_name}${rest}`;
    next();
  };
}

/**
 * A repository's former name leads to it, by its id: 301 for a read, 307 for all else (GitHub: "Follow
 * redirects"). A new repository of that name ends it.
 */
export function redirectFormerNames({ upstream, origin, formerNames }: Named): RequestHandler {
  return async (req, res, next) => {
    const [, name = '', rest = ''] = /^\/repos\/([^/?]+\/[^/?]+)([/?].*)?$/.exec(req.url) ?? [];
    const id = formerNames.get(name.toLowerCase());
    if (id === undefined || (await upstream.get(`/repos/${name}`))) {
      next();
      return;
    }
    const url = `${origin}/repositories/${id}${rest}`;
    const isRead = ['GET', 'HEAD'].includes(req.method);
    res.status(isRead ? 301 : 307).setHeader('location', url);
    res.json({ message: isRead ? 'Moved Permanently' : 'Temporary Redirect', url });
  };
}

/** What `edited` names as changed; of these the emulator changes anything. */
function changesBetween(before: Repository, after: Repository): Record<string, unknown> {
  return {
    ...(before.description !== after.description && { description: { from: before.description } }),
    ...(before.default_branch !== after.default_branch && {
      default_branch: { from: before.default_branch },
    }),
  };
}

/** A repository that gets another name or owner: its webhooks, which the emulator sends as `edited` or bare. */
export function renameRoutes(local: Local): Router {
  const router = Router();
  const { upstream, hooks, formerNames } = local;

  const change: RequestHandler<{ owner: string; repo: string }> = async (req, res) => {
    const before = await upstream.get<Repository>(`/repos/${req.params.owner}/${req.params.repo}`);
    const answer = await forward(upstream, req);
    const after = before && (await upstream.get<Repository>(`/repositories/${before.id}`));
    if (answer.status < 300 && after) {
      const caller = callerOf(res);
      const sender = await upstream.get<Account>('/user', 'inner' in caller ? caller.inner : undefined);
      const tell = (action: string, changes: object) =>
        hooks.emit(after.owner.login, {
          name: 'repository',
          payload: { action, changes, repository: after, sender },
        });
      if (before.full_name !== after.full_name) formerNames.set(before.full_name.toLowerCase(), after.id);
      formerNames.delete(after.full_name.toLowerCase());
      const { type, ...from } = { type: before.owner.type, ...before.owner };
      if (before.owner.id !== after.owner.id) {
        const kind = type === 'User' ? 'user' : 'organization';
        tell('transferred', { owner: { from: { [kind]: { ...from, type } } } });
      } else if (before.name !== after.name) tell('renamed', { repository: { name: { from: before.name } } });
      const edits = changesBetween(before, after);
      if (Object.keys(edits).length > 0) tell('edited', edits);
      if (jsonBodyOf(req).archived === true) tell('archived', {});
      if (jsonBodyOf(req).archived === false) tell('unarchived', {});
    }
    relay(res, answer);
  };
  router.patch('/repos/:owner/:repo', readBody, change);
  router.post('/repos/:owner/:repo/transfer', readBody, change);
  return router;
}
