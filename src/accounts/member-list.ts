import type { Installations } from '../approvals/ports.ts';
import type { Clock } from '../clock.ts';
import type { Members, Memberships, Organization, Organizations } from './ports.ts';

export type MemberListDeps = { members: Members; memberships: Memberships; clock: Clock };

/**
 * Makes the members of an organization those whom GitHub lists now. A personal
 * account has no such list: its members are known when they sign in.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`; nothing is changed then.
 */
export async function readMembers(deps: MemberListDeps, org: Organization): Promise<void> {
  if (org.accountType === 'User' || org.installationId === 0 || org.suspended) return;
  const at = deps.clock.now();
  const listed = await deps.members.list(org);
  // An organization has an owner at least: no list is not an empty one.
  if (listed && listed.length > 0) await deps.memberships.replace(org, listed, at);
}

/** Does so for every organization that has the App. */
export async function readAllMembers(
  deps: MemberListDeps & {
    installations: Installations;
    organizations: Organizations;
    /** Told of each organization whose members could not be read; the rest goes on. */
    onFault(error: unknown, at: { repository: string }): void;
  },
): Promise<void> {
  for (const installation of await deps.installations.list()) {
    await deps.organizations
      .save(installation)
      .then((org) => readMembers(deps, org))
      .catch((error: unknown) => deps.onFault(error, { repository: `${installation.account.login}/*` }));
  }
}
