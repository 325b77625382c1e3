import { createCustomRoles } from './custom-roles.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Membership, Repository } from './github-objects.ts';

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

const LEVELS: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** The names of the roles in a request that gives access. */
const GIVEN: Record<string, Role> = { pull: 'read', push: 'write' };

export const permissionsOf = (role: Role) => {
  const has = (level: Role) => hasRole(role, level);
  return {
    pull: has('read'),
    triage: has('triage'),
    push: has('write'),
    maintain: has('maintain'),
    admin: has('admin'),
  };
};

/** `permission` has fewer levels than `role_name`: no `maintain` and no `triage`. */
export const PERMISSION: Record<Role, string> = {
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

const grantKey = (repo: Repository, login: string) => `${repo.id}:${login.toLowerCase()}`;

const rankOf = (role: Role) => LEVELS.indexOf(role);

/** Whether a role is at least that high. */
export const hasRole = (role: Role | undefined, least: Role): boolean =>
  role !== undefined && rankOf(role) >= rankOf(least);

const isRole = (name: string): name is Role => (LEVELS as readonly string[]).includes(name);

export type Roles = ReturnType<typeof createRoles>;

/** Who has which role in which repository. */
export function createRoles(emulator: EmulatorClient) {
  /** The names of the roles that were given on one repository, by its id and the login in lower case. */
  const grants = new Map<string, string>();
  const custom = createCustomRoles();
  /** The role on which a name is based: a custom role has one of the others below it. */
  const baseOf = (repo: Repository, name: string): Role => {
    if (isRole(name)) return name;
    const found = custom.of(repo.owner).find((role) => role.name === name);
    return (found?.base_role as Role | undefined) ?? 'none';
  };
  /** The name of the highest role that the person has, as an owner, a member or a collaborator; undefined for a stranger. */
  const nameOf = async (repo: Repository, login: string): Promise<string | undefined> => {
    const asMember = await roleOfMember(emulator, repo.owner.login, login);
    const given = grants.get(grantKey(repo, login));
    if (!asMember) {
      const path = `/repos/${repo.full_name}/collaborators/${login}/permission`;
      return given ?? (await emulator.get<{ role_name: Role }>(path))?.role_name;
    }
    if (!given) return asMember;
    const isHigher = rankOf(baseOf(repo, given)) > rankOf(asMember);
    return isHigher || (!isRole(given) && baseOf(repo, given) === asMember) ? given : asMember;
  };
  return {
    custom,
    baseOf,
    nameOf,
    /** That role, without names of the organization's own. */
    of: async (repo: Repository, login: string): Promise<Role | undefined> => {
      const name = await nameOf(repo, login);
      return name === undefined ? undefined : baseOf(repo, name);
    },
    /** Gives a role on one repository, by GitHub's name of it in a request, and returns the name of the one before. */
    give: (repo: Repository, login: string, given: string): string | undefined => {
      const before = grants.get(grantKey(repo, login));
      grants.set(grantKey(repo, login), GIVEN[given] ?? given);
      return before;
    },
    take: (repo: Repository, login: string) => void grants.delete(grantKey(repo, login)),
  };
}
