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
    const wanted = String(req.query.permission ?? 'pull');
    const all = await Promise.all(
      [...(users ?? [])].map(async (user) => {
        const role_name = (repository && (await roles.nameOf(repository, user.login))) ?? 'read';
        const permissions = permissionsOf(repository ? roles.baseOf(repository, role_name) : 'read');
        return { ...user, permissions, role_name };
      }),
    );
    const found = all.filter(({ permissions }) => permissions[wanted as keyof typeof permissions]);
    sendWithETag(req, res, paginate(req, res, found));
  };
  router.get(collaborators, list);

  const showPermission: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const user = await emulator.get<Account>(`/users/${req.params.username}`);
    if (!repo || !user) {
      refuse(res, 404, `${req.params.username} is not a user`);
      return;
    }
    const role_name = (await roles.nameOf(repo, user.login)) ?? (repo.private ? 'none' : 'read');
    const role = roles.baseOf(repo, role_name);
    const shown = { ...user, permissions: permissionsOf(role), role_name };
    sendWithETag(req, res, { permission: PERMISSION[role], role_name, user: shown });
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
    const repository = await readRepository(emulator, req.params);
    const body = jsonBodyOf(req);
    const given = String(body.permission ?? 'push');
    // The emulator doesn't know the organization's own roles.
    const base =
      repository && roles.custom.of(repository.owner).find(({ name }) => name === given)?.base_role;
    if (base !== undefined) req.body = Buffer.from(JSON.stringify({ ...body, permission: base }));
    const answer = await forward(emulator, req);
    const member = await emulator.get<Account>(`/users/${req.params.username}`);
    if (answer.status < 300 && repository && member) {
      const before = req.method === 'PUT' ? roles.give(repository, member.login, given) : undefined;
      if (req.method === 'DELETE') roles.take(repository, member.login);
      const added = before === undefined ? 'added' : 'edited';
      const payload = {
        action: req.method === 'DELETE' ? 'removed' : added,
        member,
        ...(before !== undefined && { changes: { old_permission: { from: before } } }),
        repository,
        sender: await senderOf(emulator, res),
      };
      webhooks.send(repository.owner.login, { name: 'member', payload });
    }
    relay(res, answer);
  };
  router.put(`${collaborators}/:username`, readBody, change);
  router.delete(`${collaborators}/:username`, readBody, change);

  return router;
}
