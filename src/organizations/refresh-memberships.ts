import type { Session } from '../people/ports.ts';
import type { Clock } from '../shared/clock.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import type { Installations, Members, Memberships, Organization, Organizations, Role } from './ports.ts';
import { rereadRole } from './reread-role.ts';

/** How long we trust GitHub's answer about a person's memberships. */
const TRUSTED_MS = 60_000;

type Deps = {
  installations: Installations;
  members: Members;
  memberships: Memberships;
  organizations: Organizations;
  clock: Clock;
};

/**
 * Updates the memberships of the session's person from GitHub, before they
 * decide what the person sees; at most once a minute for each person.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`: then the person must see nothing.
 */
export type RefreshMemberships = (session: Session) => Promise<void>;

export function createRefreshMemberships(deps: Deps): RefreshMemberships {
  const recent = createExpiringMap<Promise<void>>(deps.clock);
  return (session) => {
    const known = recent.get(session.userId);
    if (known !== undefined) return known;
    const updated = updateAll(deps, session);
    recent.set(session.userId, updated, TRUSTED_MS);
    // A failure isn't remembered.
    updated.catch(() => recent.delete(session.userId));
    return updated;
  };
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
export async function refreshMembership(
  deps: Pick<Deps, 'installations' | 'members' | 'memberships' | 'organizations'>,
  person: Session,
  { org, role }: { org: Organization; role: Role },
): Promise<void> {
  const current = await rereadRole(deps, org, person);
  if (current === 'unknown' || current.role === role) return;
  await deps.memberships.save(org, { ...person, login: current.login }, current.role);
}
