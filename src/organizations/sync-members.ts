import type { Clock } from '../shared/clock.ts';
import type { Installations, Members, Memberships, Organization, Organizations } from './ports.ts';

export type SyncMembersDeps = { members: Members; memberships: Memberships; clock: Clock };

/**
 * Makes the stored members of an organization those that GitHub lists now. A
 * personal account has no list: we learn of its members when they sign in.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`; then nothing changes.
 */
export async function syncMembers(deps: SyncMembersDeps, org: Organization): Promise<void> {
  if (org.accountType === 'User' || org.installationId === 0 || org.suspended) return;
  const readAt = deps.clock.now();
  const listed = await deps.members.list(org);
  // An organization has at least one owner, so an empty list can't be true.
  if (listed && listed.length > 0) await deps.memberships.replace(org, listed, readAt);
}

/** Syncs the members of every organization that has the App. */
export async function syncAllMembers(
  deps: SyncMembersDeps & {
    installations: Installations;
    organizations: Organizations;
    /** Gets the error of each organization whose members can't be read; the others are still synced. */
    onSyncFailed(error: unknown, at: { repository: string }): void;
  },
): Promise<void> {
  for (const installation of await deps.installations.list()) {
    await deps.organizations
      .save(installation)
      .then((org) => syncMembers(deps, org))
      .catch((error: unknown) => deps.onSyncFailed(error, { repository: `${installation.account.login}/*` }));
  }
}
