import type { Clock } from '../shared/clock.ts';
import { attempt, type SyncFailures } from '../shared/work.ts';
import type { Installations, Members, Memberships, Organization, Organizations } from './ports.ts';

export type SyncMembersDeps = { members: Members; memberships: Memberships; clock: Clock };

/** What a round over all organizations takes. */
export type SyncAllMembersDeps = SyncMembersDeps &
  SyncFailures & { installations: Installations; organizations: Organizations };

/**
 * Makes the stored members of an organization GitHub's present list. A
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

/** Syncs the members of every organization that has the App. If those of one can't be read, the others are still synced. */
export async function syncAllMembers(deps: SyncAllMembersDeps): Promise<void> {
  for (const installation of await deps.installations.list())
    await attempt(deps, { repository: `${installation.account.login}/*` }, async () =>
      syncMembers(deps, await deps.organizations.save(installation)),
    );
}
