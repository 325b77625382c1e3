import { type RequestHandler, Router } from 'express';
import { emulatorTokenOf } from '../authenticate.ts';
import type { EmulatorClient } from '../emulator-client.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Membership, Repository } from '../github-objects.ts';
import { readRepository } from '../repositories.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

const LEVELS: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** What a request that gives access calls the roles. */
const GIVEN: Record<string, Role> = { pull: 'read', push: 'write' };

const permissionsOf = (role: Role) => {
  const has = (level: Role) => rankOf(role) >= rankOf(level);
  return {
    pull: has('read'),
    triage: has('triage'),
    push: has('write'),
    maintain: has('maintain'),
    admin: has('admin'),
  };
};

/** `permission` has fewer levels than `role_name`: no `maintain` and no `triage`. */
const PERMISSION: Record<Role, string> = {
  admin: 'admin',
  maintain: 'write',
  write: 'write',
  triage: 'read',
  read: 'read',
  none: 'none',
};

async function roleOfMember(emulator: EmulatorClient, org: string, login: string): Promise<Role | undefined> {
  const membership = await emulator.get<Membership>(`/orgs/${org}/memberships/${login}`);
  if (!membership) return undefined;
  if (membership.role === 'admin') return 'admin';
  const found = await emulator.get<{ default_repository_permission: Role }>(`/orgs/${org}`);
  return found?.default_repository_permission ?? 'read';
}

/** The roles that were given on one repository, by its id and the login in lower case. */
type Grants = Map<string, Role>;

const grantKey = (repo: Repository, login: string) => `${repo.id}:${login.toLowerCase()}`;

const rankOf = (role: Role) => LEVELS.indexOf(role);

/** The highest role that the person has, as an owner, a member or a collaborator. */
async function roleOf(
  { emulator, grants }: { emulator: EmulatorClient; grants: Grants },
  repo: Repository,
  login: string,
): Promise<Role | undefined> {
  const asMember = await roleOfMember(emulator, repo.owner.login, login);
  const given = grants.get(grantKey(repo, login));
  if (asMember) return given && rankOf(given) > rankOf(asMember) ? given : asMember;
  const asCollaborator = await emulator.get<{ role_name: Role }>(
    `/repos/${repo.full_name}/collaborators/${login}/permission`,
  );
  return asCollaborator?.role_name;
}

/**
 * Who has which role in a repository. The emulator gets this wrong: it treats every member as an administrator, and
 * doesn't let everybody read a public repository.
 */
export function collaboratorRoutes({ emulator, webhooks }: RouteDeps): Router {
  const router = Router();
  const collaborators = '/repos/:owner/:repo/collaborators';
  const grants: Grants = new Map();

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
    const roles = await Promise.all(
      page.map((user) => repository && roleOf({ emulator, grants }, repository, user.login)),
    );
    const shown = page.map((user, index) => {
      const role = roles[index] ?? 'read';
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
    const role = (await roleOf({ emulator, grants }, repo, user.login)) ?? (repo.private ? 'none' : 'read');
    const shown = { ...user, permissions: permissionsOf(role), role_name: role };
    sendWithETag(req, res, { permission: PERMISSION[role], role_name: role, user: shown });
  };
  router.get(`${collaborators}/:username/permission`, showPermission);

  const showMembership: RequestHandler = async (req, res) => {
    const repo = await readRepository(emulator, req.params);
    const role = repo && (await roleOf({ emulator, grants }, repo, String(req.params.username)));
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
      if (action === 'added') grants.set(grantKey(repository, member.login), GIVEN[given] ?? (given as Role));
      else grants.delete(grantKey(repository, member.login));
      const payload = { action, member, repository, sender: await senderOf(emulator, res) };
      webhooks.send(repository.owner.login, { name: 'member', payload });
    }
    relay(res, answer);
  };
  router.put(`${collaborators}/:username`, readBody, change);
  router.delete(`${collaborators}/:username`, readBody, change);

  return router;
}
