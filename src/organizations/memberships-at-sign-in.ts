import type { MembershipsAtSignIn } from '../people/ports.ts';
import type { Installation, Memberships, Organizations, Role, UserInstallations } from './ports.ts';

type Found = { installations: Installation[]; roles: Map<number, Role> };

/** A person's memberships in organizations with this App, read with their own token when they sign in. */
export function createMembershipsAtSignIn(deps: {
  tokens: UserInstallations;
  organizations: Organizations;
  memberships: Memberships;
}): MembershipsAtSignIn<Found> {
  const { tokens, organizations, memberships } = deps;
  return {
    async read(accessToken) {
      const [installations, active] = await Promise.all([
        tokens.installations(accessToken),
        tokens.memberships(accessToken),
      ]);
      return { installations, roles: new Map(active.map(({ orgId, role }) => [orgId, role])) };
    },

    async save(person, { installations, roles }) {
      const joined = await Promise.all(
        installations.map(async (installation) => {
          const role = roleIn(installation, person.githubId, roles);
          return role && { org: await organizations.save(installation), role };
        }),
      );
      await memberships.saveOfPerson(
        person,
        joined.filter((membership) => membership !== null),
      );
    },
  };
}

/** Null for an outside collaborator, who sees the installation but isn't a member. */
function roleIn({ account }: Installation, githubId: number, roles: Map<number, Role>): Role | null {
  if (account.type === 'User') return account.id === githubId ? 'admin' : 'member';
  return roles.get(account.id) ?? null;
}
