import type { Installations } from '../approvals/ports.ts';
import type { Members, Organization, Organizations, Role } from './ports.ts';

type Deps = { installations: Installations; members: Members; organizations: Organizations };

/**
 * The role that a person has now, and the login that they have. A no is looked
 * into before it counts: the organization or the person may have another name
 * by now. `unknown` where the App is suspended or removed: it is told nothing
 * about anyone then, and the last word stands.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function confirmRole(
  deps: Deps,
  org: Organization,
  person: { githubId: number; login: string },
): Promise<{ role: Role | null; login: string } | 'unknown'> {
  if (org.installationId === 0 || org.suspended) return 'unknown';
  const role = await deps.members.role(org, person);
  if (role) return { role, login: person.login };
  const installation = await deps.installations.get(org.installationId);
  if (!installation) {
    await deps.organizations.removed(org.installationId);
    return 'unknown';
  }
  const now = await deps.organizations.save(installation);
  if (now.suspended) return 'unknown';
  const login = (await deps.members.loginOf(now, person.githubId)) ?? person.login;
  // Asked once more in any case: the first no can be from a moment in which the App was suspended.
  return { role: await deps.members.role(now, { ...person, login }), login };
}
