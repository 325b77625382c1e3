import type { EmulatorClient } from './emulator-client.ts';
import type { Membership, Repository } from './github-objects.ts';

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

const LEVELS: readonly Role[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** The names of the roles in a request that gives access. */
const GIVEN: Record<string, Role> = { pull: 'read', push: 'write' };

export const permissionsOf = (role: Role) => {
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

/** The roles that were given on one repository, by its id and the login in lower case. */
type Grants = Map<string, Role>;

const grantKey = (repo: Repository, login: string) => `${repo.id}:${login.toLowerCase()}`;

const rankOf = (role: Role) => LEVELS.indexOf(role);

/** Who has which role in which repository. */
export type Roles = {
  /** The highest role that the person has, as an owner, a member or a collaborator; undefined for a stranger. */
  of(repo: Repository, login: string): Promise<Role | undefined>;
  /** Gives a role on one repository, by GitHub's name of it in a request. */
  give(repo: Repository, login: string, given: string): void;
  take(repo: Repository, login: string): void;
};

export function createRoles(emulator: EmulatorClient): Roles {
  const grants: Grants = new Map();
  return {
    give: (repo, login, given) => void grants.set(grantKey(repo, login), GIVEN[given] ?? (given as Role)),
    take: (repo, login) => void grants.delete(grantKey(repo, login)),
    async of(repo, login) {
      const asMember = await roleOfMember(emulator, repo.owner.login, login);
      const given = grants.get(grantKey(repo, login));
      if (asMember) return given && rankOf(given) > rankOf(asMember) ? given : asMember;
      const asCollaborator = await emulator.get<{ role_name: Role }>(
        `/repos/${repo.full_name}/collaborators/${login}/permission`,
      );
      return asCollaborator?.role_name;
    },
  };
}
