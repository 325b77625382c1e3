import { type RequestHandler, Router } from 'express';
import { pageOf, refuse, relay } from './answers.ts';
import { forward, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { Account, Membership, Repository } from './shapes.ts';

type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';
type Params = { owner: string; repo: string; username: string };

/** GitHub's older scale has no `maintain` and no `triage`. */
const PERMISSION: Record<Role, string> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
};

/**
 * Who may do what in a repository. The emulator holds every member for an administrator, and forgets that
 * a public repository can be read by all.
 */
export function collaboratorRoutes(local: Local): Router {
  const router = Router();
  const { upstream, hooks } = local;

  const membershipRole = async (repo: Repository, login: string): Promise<Role | undefined> => {
    const owner = repo.owner.login;
    const membership = await upstream.get<Membership>(`/orgs/${owner}/memberships/${login}`);
    if (!membership) return undefined;
    if (membership.role === 'admin') return 'admin';
    const org = await upstream.get<{ default_repository_permission: Role }>(`/orgs/${owner}`);
    return org?.default_repository_permission ?? 'read';
  };

  /** The role given to this person in particular, by ownership, membership or invitation. */
  const givenRole = async (repo: Repository, login: string): Promise<Role | undefined> => {
    const asMember = await membershipRole(repo, login);
    if (asMember) return asMember;
    const given = await upstream.get<{ role_name: Role }>(
      `/repos/${repo.full_name}/collaborators/${login}/permission`,
    );
    return given?.role_name;
  };

  const readRepository = (params: { owner: string; repo: string }) =>
    upstream.get<Repository>(`/repos/${params.owner}/${params.repo}`);

  const requireReader: RequestHandler<{ owner: string; repo: string }> = async (req, res, next) => {
    const caller = callerOf(res);
    const token = 'inner' in caller ? caller.inner : '';
    if (token && (await upstream.get(`/repos/${req.params.owner}/${req.params.repo}`, token))) next();
    else refuse(res, token ? 404 : 401, token ? 'Not Found' : 'Requires authentication');
  };
  router.use('/repos/:owner/:repo/collaborators', requireReader);

  router.get('/repos/:owner/:repo/collaborators', async (req, res) => {
    const explicit = await upstream.list<Account>(
      `/repos/${req.params.owner}/${req.params.repo}/collaborators`,
    );
    const members = await upstream.list<Account>(`/orgs/${req.params.owner}/members`);
    const byID = new Map([...members, ...explicit].map((user) => [user.id, user]));
    const repo = await readRepository(req.params);
    const page = pageOf(req, res, [...byID.values()]);
    const roles = await Promise.all(page.map((user) => repo && givenRole(repo, user.login)));
    res.json(page.map((user, index) => ({ ...user, role_name: roles[index] ?? 'read' })));
  });

  router.get('/repos/:owner/:repo/collaborators/:username/permission', async (req, res) => {
    const repo = await readRepository(req.params);
    const user = await upstream.get<Account>(`/users/${req.params.username}`);
    if (!repo || !user) {
      refuse(res, 404, `${req.params.username} is not a user`);
      return;
    }
    const role = (await givenRole(repo, user.login)) ?? (repo.private ? 'none' : 'read');
    res.json({ permission: PERMISSION[role], role_name: role, user: { ...user, role_name: role } });
  });

  router.get('/repos/:owner/:repo/collaborators/:username', async (req, res) => {
    const repo = await readRepository(req.params);
    const role = repo && (await givenRole(repo, req.params.username));
    if (role && role !== 'none') res.status(204).end();
    else refuse(res, 404, 'Not Found');
  });

  const change: RequestHandler<Params> = async (req, res) => {
    const answer = await forward(upstream, req);
    const repository = await readRepository(req.params);
    const member = await upstream.get<Account>(`/users/${req.params.username}`);
    if (answer.status < 300 && repository && member) {
      const caller = callerOf(res);
      const sender = await upstream.get<Account>('/user', 'inner' in caller ? caller.inner : undefined);
      const action = req.method === 'DELETE' ? 'removed' : 'added';
      hooks.emit(repository.owner.login, { name: 'member', payload: { action, member, repository, sender } });
    }
    relay(res, answer);
  };
  router.put('/repos/:owner/:repo/collaborators/:username', readBody, change);
  router.delete('/repos/:owner/:repo/collaborators/:username', readBody, change);

  return router;
}
