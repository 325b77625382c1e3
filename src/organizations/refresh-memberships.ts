import type { MembershipsAtSignIn, Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { Clock } from '../shared/clock.ts';
import { createReadOnce } from '../shared/expiring-map.ts';
import type {
  Installation,
  Installations,
  Members,
  Memberships,
  Organization,
  Organizations,
  Role,
  UserInstallations,
} from './ports.ts';

/** How long we trust GitHub's answer about a person's memberships. */
const TRUSTED_MS = 60_000;

type RereadDeps = { installations: Installations; members: Members; organizations: Organizations };

type Deps = RereadDeps & { memberships: Memberships };

/**
 * Updates the memberships of the session's person from GitHub, before they
 * decide what the person sees; at most once a minute for each person.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`: then the person must see nothing.
 */
export type RefreshMemberships = (session: Session) => Promise<void>;

export function createRefreshMemberships(deps: Deps & { clock: Clock }): RefreshMemberships {
  const once = createReadOnce<void>(deps.clock, TRUSTED_MS);
  return (session) => once(session.userId, () => updateAll(deps, session));
}

async function updateAll(deps: Deps, session: Session): Promise<void> {
  const memberships = await deps.memberships.of(session.userId);
  await Promise.all(memberships.map((membership) => refreshMembership(deps, session, membership)));
}

/**
 * Updates one membership from GitHub, asked with the installation's token: only its "no" ends a membership.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
async function refreshMembership(
  deps: Deps,
  person: Session,
  { org, role }: { org: Organization; role: Role },
): Promise<void> {
  const current = await rereadRole(deps, org, person);
  if (current === 'unknown' || current.role === role) return;
  await deps.memberships.save(org, { ...person, login: current.login }, current.role);
}

/**
 * Reads a person's current role and login from GitHub. If GitHub says that the
 * person is no member, the organization or the person may have been renamed, so
 * both names are updated before the role is read again. `unknown` means that
 * the App is suspended or removed and GitHub says nothing about anyone: keep
 * the role that is stored.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function rereadRole(
  deps: RereadDeps,
  org: Organization,
  person: { githubId: number; login: string },
): Promise<{ role: Role | null; login: string } | 'unknown'> {
  if (org.installationId === 0 || org.suspended) return 'unknown';
  try {
    return await readRole(deps, org, person);
  } catch (error) {
    const isSuspended = error instanceof AppError && error.code === 'installationSuspended';
    const installation = isSuspended ? await deps.installations.get(org.installationId) : null;
    if (!installation) throw error;
    await deps.organizations.save(installation);
    return 'unknown';
  }
}

async function readRole(
  deps: RereadDeps,
  org: Organization,
  person: { githubId: number; login: string },
): ReturnType<typeof rereadRole> {
  const role = await deps.members.role(org, person);
  if (role) return { role, login: person.login };
  const installation = await deps.installations.get(org.installationId);
  // Only the watch marks the App as removed, because it logs that first.
  if (!installation) return 'unknown';
  const updatedOrg = await deps.organizations.save(installation);
  if (updatedOrg.suspended) return 'unknown';
  const login = (await deps.members.loginOf(updatedOrg, person.githubId)) ?? person.login;
  // Read again even if no name changed: the App may have been suspended during the first request.
  return { role: await deps.members.role(updatedOrg, { ...person, login }), login };
}

type Found = { installations: Installation[]; roles: Map<number, Role> };

/**
 * A person's memberships in organizations with this App, read with their own token when they sign in. GitHub leaves
 * organizations out, for example without a session of single sign-on. So the token adds memberships, and about the others
 * that are stored we ask with the installation's token.
 */
export function createMembershipsAtSignIn(
  deps: Deps & { tokens: UserInstallations },
): MembershipsAtSignIn<Found> {
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
  const silence = ['githubUnavailable', 'permissionMissing', 'installationNotFound'];
  if (!(error instanceof AppError && silence.includes(error.code))) throw error;
}

/** Null for an outside collaborator, who sees the installation but isn't a member. */
function roleIn({ account }: Installation, githubId: number, roles: Map<number, Role>): Role | null {
  if (account.type === 'User') return account.id === githubId ? 'admin' : 'member';
  return roles.get(account.id) ?? null;
}
