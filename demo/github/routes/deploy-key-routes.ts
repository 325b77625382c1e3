import { type RequestHandler, type Response, Router } from 'express';
import { requireRepositoryAdministration } from '../administration.ts';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Repository } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

type DeployKey = {
  id: number;
  repo: number;
  title: string;
  key: string;
  read_only: boolean;
  added_by: string | null;
  created_at: string;
};

/** Deploy keys, for administrators and Apps with "Administration" (GitHub: "REST API endpoints for deploy keys"). */
export function deployKeyRoutes(deps: RouteDeps): Router {
  const { emulator, origin, webhooks } = deps;
  const router = Router();
  const path = '/repos/:owner/:repo/keys';
  const keys = new Map<number, DeployKey>();
  let nextID = 1;

  const shown = (repository: Repository, { repo: _repo, ...key }: DeployKey) => {
    const url = `${origin}/repos/${repository.full_name}/keys/${key.id}`;
    return { ...key, url, verified: true, last_used: null, enabled: true };
  };
  const sendWebhook = async (res: Response, action: string, repository: Repository, key: DeployKey) => {
    const sender = await senderOf(emulator, res);
    const payload = { action, key: shown(repository, key), repository, sender };
    webhooks.send(repository.owner.login, { name: 'deploy_key', payload });
  };

  const list: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    if (!repo) return;
    const found = [...keys.values()].filter((key) => key.repo === repo.id);
    sendWithETag(
      req,
      res,
      paginate(req, res, found).map((key) => shown(repo, key)),
    );
  };

  const add: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const { title = '', key, read_only = false } = jsonBodyOf(req);
    if (!repo) return;
    const isKnown = [...keys.values()].some((one) => one.key === key);
    if (typeof key !== 'string' || !/^(ssh|ecdsa)-\S+ \S+/.test(key) || isKnown) {
      refuse(
        res,
        422,
        isKnown
          ? 'key is already in use'
          : 'key is invalid. You must supply a key in OpenSSH public key format',
      );
      return;
    }
    const caller = callerOf(res);
    const made = {
      id: nextID++,
      repo: repo.id,
      title: String(title),
      key,
      read_only: read_only === true,
      added_by: 'login' in caller ? caller.login : null,
      created_at: new Date().toISOString(),
    };
    keys.set(made.id, made);
    await sendWebhook(res, 'created', repo, made);
    res.status(201).json(shown(repo, made));
  };

  /** Shows the key, or deletes it. */
  const one: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const key = keys.get(Number(req.params.id));
    if (!repo || key?.repo !== repo.id) refuse(res, 404, 'Not Found');
    else if (req.method === 'GET') sendWithETag(req, res, shown(repo, key));
    else {
      keys.delete(key.id);
      await sendWebhook(res, 'deleted', repo, key);
      res.status(204).end();
    }
  };

  const [mayRead, mayWrite] = [
    requireRepositoryAdministration(deps, 'read'),
    requireRepositoryAdministration(deps, 'write'),
  ];
  router.get(path, mayRead, list).post(path, mayWrite, readBody, add);
  router.get(`${path}/:id`, mayRead, one).delete(`${path}/:id`, mayWrite, one);
  return router;
}
