import { AppError } from '../shared/app-error.ts';
import type { Installations, Members, Organization, Organizations, Role } from './ports.ts';

type Deps = { installations: Installations; members: Members; organizations: Organizations };

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
  deps: Deps,
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
  deps: Deps,
  org: Organization,
  person: { githubId: number; login: string },
): ReturnType<typeof rereadRole> {
  const role = await deps.members.role(org, person);
  if (role) return { role, login: person.login };
  const installation = await deps.installations.get(org.installationId);
  if (!installation) {
    await deps.organizations.removed(org.installationId);
    return 'unknown';
  }
  const updatedOrg = await deps.organizations.save(installation);
  if (updatedOrg.suspended) return 'unknown';
  const login = (await deps.members.loginOf(updatedOrg, person.githubId)) ?? person.login;
  // Read again even if no name changed: the App may have been suspended during the first request.
  return { role: await deps.members.role(updatedOrg, { ...person, login }), login };
}
