import type { MembershipsAtSignIn } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type {
  Installation,
  Installations,
  Members,
  Memberships,
  Organizations,
  Role,
  UserInstallations,
} from './ports.ts';
import { refreshMembership } from './refresh-memberships.ts';

type Found = { installations: Installation[]; roles: Map<number, Role> };

/**
 * A person's memberships in organizations with this App, read with their own token when they sign in. GitHub leaves
 * organizations out, for example without a session of single sign-on. So the token adds memberships, and about the others
 * that are stored we ask with the installation's token.
 */
export function createMembershipsAtSignIn(deps: {
  tokens: UserInstallations;
  organizations: Organizations;
  memberships: Memberships;
  installations: Installations;
  members: Members;
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
      const shown = joined.filter((membership) => membership !== null);
      await memberships.saveOfPerson(person, shown);
      const isShown = new Set(shown.map(({ org }) => org.id));
      const others = (await memberships.of(person.userId)).filter(({ org }) => !isShown.has(org.id));
      // No answer of GitHub ends nothing: the person's next read asks again.
      await Promise.all(
        others.map((other) => refreshMembership(deps, person, other).catch(unlessUnavailable)),
      );
    },
  };
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'githubUnavailable') throw error;
}

/** Null for an outside collaborator, who sees the installation but isn't a member. */
function roleIn({ account }: Installation, githubId: number, roles: Map<number, Role>): Role | null {
  if (account.type === 'User') return account.id === githubId ? 'admin' : 'member';
  return roles.get(account.id) ?? null;
}
