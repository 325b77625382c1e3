import { type RequestHandler, type Response, Router } from 'express';
import { pageOf, refuse, relay } from './answers.ts';
import { sendConditionally } from './conditional.ts';
import { forward, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import { repositoriesOf } from './repositories.ts';
import type { Account, Installation, Repository } from './shapes.ts';

const SUSPENDED = 'This installation has been suspended';

const requireApp: RequestHandler = (_req, res, next) => {
  if (callerOf(res).kind === 'app') {
    next();
    return;
  }
  refuse(res, 401, 'A JSON web token could not be decoded');
};

function answer(res: Response, installation: Installation | undefined): void {
  if (installation) res.json(installation);
  else refuse(res, 404, 'Not Found');
}

/** The App's installations: read, given tokens, suspended, resumed and removed, with their webhooks. */
export function installationRoutes(local: Local): Router {
  const router = Router();
  const { installations, tokens, upstream, hooks } = local;

  const tell = async (action: string, installation: Installation) => {
    const owner = await upstream.get<Account>('/users/octocat');
    const { login } = installation.account;
    const listed = await upstream.list<Repository>(repositoriesOf(installation.account));
    const repositories = listed.map(({ id, name, full_name, private: isPrivate }) => {
      return { id, node_id: `${id}`, name, full_name, private: isPrivate };
    });
    hooks.emit(login, {
      name: 'installation',
      payload: { action, installation, repositories, sender: owner },
    });
  };

  router.get('/app/installations', requireApp, (req, res) => {
    sendConditionally(req, res, pageOf(req, res, installations.all()));
  });

  router.get('/app/installations/:id', requireApp, (req, res) => {
    answer(res, installations.find(Number(req.params.id)));
  });

  router.delete('/app/installations/:id', requireApp, async (req, res) => {
    const installation = installations.find(Number(req.params.id));
    if (!installation) {
      refuse(res, 404, 'Not Found');
      return;
    }
    installations.remove(installation.id);
    tokens.end((grant) => grant.kind === 'installation' && grant.installation === installation.id);
    await tell('deleted', installation);
    res.status(204).end();
  });

  router.put('/app/installations/:id/suspended', requireApp, async (req, res) => {
    const id = Number(req.params.id);
    const owner = await upstream.get<Account>('/users/octocat');
    if (!owner || !installations.find(id)) {
      refuse(res, 404, 'Not Found');
      return;
    }
    installations.suspend(id, owner);
    const suspended = installations.find(id);
    if (suspended) await tell('suspend', suspended);
    res.status(204).end();
  });

  router.delete('/app/installations/:id/suspended', requireApp, async (req, res) => {
    const id = Number(req.params.id);
    installations.unsuspend(id);
    const resumed = installations.find(id);
    if (!resumed) {
      refuse(res, 404, 'Not Found');
      return;
    }
    await tell('unsuspend', resumed);
    res.status(204).end();
  });

  router.post('/app/installations/:id/access_tokens', requireApp, readBody, async (req, res) => {
    const installation = installations.find(Number(req.params.id));
    if (!installation || installation.suspended_at) {
      refuse(res, installation ? 403 : 404, installation ? SUSPENDED : 'Not Found');
      return;
    }
    const made = await forward(upstream, req);
    const { token, expires_at } = (made.json ?? {}) as { token?: string; expires_at?: string };
    if (token && expires_at) {
      const expires = Date.parse(expires_at);
      tokens.add(token, { kind: 'installation', installation: installation.id, inner: token, expires });
    }
    relay(res, made, token && { ...(made.json as object), permissions: installation.permissions });
  });

  router.delete('/installation/token', (_req, res) => {
    const caller = callerOf(res);
    tokens.end((grant) => grant === caller);
    res.status(204).end();
  });

  router.get('/repos/:owner/:repo/installation', requireApp, async (req, res) => {
    const { owner, repo } = req.params;
    const found = await upstream.get<Repository>(`/repos/${owner}/${repo}`);
    answer(res, found && installations.on(found.owner.login));
  });
  router.get('/orgs/:login/installation', requireApp, (req, res) => {
    answer(res, installations.on(String(req.params.login)));
  });
  router.get('/users/:login/installation', requireApp, (req, res) => {
    answer(res, installations.on(String(req.params.login)));
  });

  return router;
}
