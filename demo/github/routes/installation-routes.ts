import { type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Installation } from '../github-objects.ts';
import { listRepositories, readRepository } from '../repositories.ts';
import { requireAdmin, requireApp } from '../require-caller.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/** The emulator limits each of its tokens. A load test needs more than that. */
const EMULATOR_PER_HOUR = 5_000;
const MOST_TOKENS = 20;

function sendInstallation(res: Response, installation: Installation | undefined): void {
  if (installation) res.json(installation);
  else refuse(res, 404, 'Not Found');
}

/**
 * The App's installations and their tokens. Suspending, resuming and removing one sends a webhook.
 * `DELETE /_local/installations/{id}` and `POST /_local/installations` with `{ account }` are what an owner does on
 * GitHub: uninstall the App, and install it again under a new id.
 * `DELETE /_local/installations/{id}/tokens` revokes all tokens of an installation, without a webhook.
 */
export function installationRoutes({ installations, tokens, emulator, webhooks, rates }: RouteDeps): Router {
  const router = Router();
  const requested = ({ params }: { params: { id?: unknown } }) => installations.find(Number(params.id));

  const revokeTokens = (id: number) =>
    tokens.revoke((issued) => issued.kind === 'installation' && issued.installation === id);

  const sendWebhook = async (action: string, installation: Installation) => {
    const sender = await emulator.get<Account>('/users/octocat');
    const listed = await listRepositories(emulator, installation.account);
    const repositories = listed.map(({ id, name, full_name, private: isPrivate }) => {
      return { id, node_id: `${id}`, name, full_name, private: isPrivate };
    });
    const payload = { action, installation, repositories, sender };
    webhooks.send(installation.account.login, { name: 'installation', payload });
  };

  router.get('/app/installations', requireApp, (req, res) => {
    sendWithETag(req, res, paginate(req, res, installations.all()));
  });
  router.get('/app/installations/:id', requireApp, (req, res) => sendInstallation(res, requested(req)));

  const uninstall = async (installation: Installation) => {
    installations.remove(installation.id);
    revokeTokens(installation.id);
    await sendWebhook('deleted', installation);
  };

  const remove: RequestHandler = async (req, res) => {
    const installation = requested(req);
    if (!installation) {
      refuse(res, 404, 'Not Found');
      return;
    }
    await uninstall(installation);
    res.status(204).end();
  };
  router.delete('/app/installations/:id', requireApp, remove);
  router.delete('/_local/installations/:id', requireAdmin, remove);

  const install: RequestHandler = async (req, res) => {
    const account = String(jsonBodyOf(req).account ?? '');
    const isInstalled = installations.findByLogin(account) !== undefined;
    const installation = isInstalled ? undefined : installations.reinstall(account);
    if (!installation) {
      refuse(res, isInstalled ? 422 : 404, isInstalled ? 'The App is already installed.' : 'Not Found');
      return;
    }
    await sendWebhook('created', installation);
    res.status(201).json(installation);
  };
  router.post('/_local/installations', requireAdmin, readBody, install);

  router.delete('/_local/installations/:id/tokens', requireAdmin, (req, res) => {
    revokeTokens(Number(req.params.id));
    res.status(204).end();
  });

  const suspend: RequestHandler = async (req, res) => {
    const id = Number(req.params.id);
    const owner = await emulator.get<Account>('/users/octocat');
    if (owner) installations.suspend(id, owner);
    const suspended = owner && installations.find(id);
    if (!suspended) {
      refuse(res, 404, 'Not Found');
      return;
    }
    await sendWebhook('suspend', suspended);
    res.status(204).end();
  };
  router.put('/app/installations/:id/suspended', requireApp, suspend);

  const resume: RequestHandler = async (req, res) => {
    installations.unsuspend(Number(req.params.id));
    const resumed = requested(req);
    if (!resumed) {
      refuse(res, 404, 'Not Found');
      return;
    }
    await sendWebhook('unsuspend', resumed);
    res.status(204).end();
  };
  router.delete('/app/installations/:id/suspended', requireApp, resume);

  const issueToken: RequestHandler = async (req, res) => {
    const installation = requested(req);
    if (!installation) {
      refuse(res, 404, 'Not Found');
      return;
    }
    if (installation.suspended_at) {
      refuse(res, 403, 'This installation has been suspended');
      return;
    }
    const id = installations.emulatorIdOf(installation);
    const issue = () => forward(emulator, req, `/app/installations/${id}/access_tokens`);
    const answer = await issue();
    const { token, expires_at } = (answer.json ?? {}) as { token?: string; expires_at?: string };
    if (!token || !expires_at) {
      relay(res, answer);
      return;
    }
    const needed = Math.min(Math.ceil(rates.requestsPerHour / EMULATOR_PER_HOUR), MOST_TOKENS);
    const more = Array.from({ length: needed - 1 }, issue);
    const inTurn = [answer, ...(await Promise.all(more))].map(
      ({ json }) => (json as { token: string }).token,
    );
    let next = 0;
    tokens.add(token, {
      kind: 'installation',
      installation: installation.id,
      get emulatorToken() {
        return inTurn[next++ % inTurn.length] ?? token;
      },
      expires: Date.parse(expires_at),
    });
    relay(res, answer, { ...(answer.json as object), permissions: installation.permissions });
  };
  router.post('/app/installations/:id/access_tokens', requireApp, readBody, issueToken);

  router.delete('/installation/token', (_req, res) => {
    const caller = callerOf(res);
    tokens.revoke((issued) => issued === caller);
    res.status(204).end();
  });

  router.get('/repos/:owner/:repo/installation', requireApp, async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    sendInstallation(res, repo && installations.findByLogin(repo.owner.login));
  });
  const showByLogin: RequestHandler = (req, res) =>
    sendInstallation(res, installations.findByLogin(String(req.params.login)));
  router.get('/orgs/:login/installation', requireApp, showByLogin);
  router.get('/users/:login/installation', requireApp, showByLogin);

  return router;
}
