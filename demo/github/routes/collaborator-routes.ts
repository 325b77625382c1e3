import { type RequestHandler, Router } from 'express';
import { emulatorTokenOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { paginate, refuse, relay } from '../responses.ts';
import { PERMISSION, permissionsOf } from '../roles.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

/**
 * Who has which role in a repository. The emulator gets this wrong: it treats every member as an administrator, and
 * doesn't let everybody read a public repository.
 */
export function collaboratorRoutes({ emulator, webhooks, roles }: RouteDeps): Router {
  const router = Router();
  const collaborators = '/repos/:owner/:repo/collaborators';

  const requireReader: RequestHandler = async (req, res, next) => {
    const token = emulatorTokenOf(res);
    if (!token) refuse(res, 401, 'Requires authentication');
    else if (await emulator.get(`/repos/${req.params.owner}/${req.params.repo}`, token)) next();
    else refuse(res, 404, 'Not Found');
  };
  router.use(collaborators, requireReader);

  const list: RequestHandler = async (req, res) => {
    const { owner, repo } = req.params;
    const { affiliation = 'all' } = req.query;
    const invited = await emulator.list<Account>(`/repos/${owner}/${repo}/collaborators`);
    const members = await emulator.list<Account>(`/orgs/${owner}/members`);
    const memberIds = new Set(members.map(({ id }) => id));
    const users = {
      all: [...new Map([...members, ...invited].map((user) => [user.id, user])).values()],
      direct: invited,
      outside: invited.filter(({ id }) => !memberIds.has(id)),
    }[String(affiliation)];
    const repository = await readRepository(emulator, req.params);
    const page = paginate(req, res, users ?? []);
    const held = await Promise.all(page.map((user) => repository && roles.of(repository, user.login)));
    const shown = page.map((user, index) => {
      const role = held[index] ?? 'read';
      return { ...user, permissions: permissionsOf(role), role_name: role };
    });
    sendWithETag(req, res, shown);
  };
  router.get(collaborators, list);

  const showPermission: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const user = await emulator.get<Account>(`/users/${req.params.username}`);
    if (!repo || !user) {
      refuse(res, 404, `${req.params.username} is not a user`);
      return;
    }
    const role = (await roles.of(repo, user.login)) ?? (repo.private ? 'none' : 'read');
    const shown = { ...user, permissions: permissionsOf(role), role_name: role };
    sendWithETag(req, res, { permission: PERMISSION[role], role_name: role, user: shown });
  };
  router.get(`${collaborators}/:username/permission`, showPermission);

  const showMembership: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const role = repo && (await roles.of(repo, String(req.params.username)));
    if (role && role !== 'none') res.status(204).end();
    else refuse(res, 404, 'Not Found');
  };
  router.get(`${collaborators}/:username`, showMembership);

  const change: RequestHandler = async (req, res) => {
    const answer = await forward(emulator, req);
    const repository = await readRepository(emulator, req.params);
    const member = await emulator.get<Account>(`/users/${req.params.username}`);
    if (answer.status < 300 && repository && member) {
      const action = req.method === 'DELETE' ? 'removed' : 'added';
      const given = String(jsonBodyOf(req).permission ?? 'push');
      if (action === 'added') roles.give(repository, member.login, given);
      else roles.take(repository, member.login);
      const payload = { action, member, repository, sender: await senderOf(emulator, res) };
      webhooks.send(repository.owner.login, { name: 'member', payload });
    }
    relay(res, answer);
  };
  router.put(`${collaborators}/:username`, readBody, change);
  router.delete(`${collaborators}/:username`, readBody, change);

  return router;
}
