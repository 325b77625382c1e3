import { accountsElsewhere, type FindMovedDeps } from '../approvals/approve/find-moved-targets.ts';
import type { Clock } from '../clock.ts';
import type { ApprovalTarget } from '../contract/approvals.ts';
import { createExpiringMap } from '../expiring-map.ts';
import type { Memberships } from '../organizations/ports.ts';

const RECENT_MS = 60_000;

/**
 * What calls are counted by, as it was at most a minute ago: somebody who approves has just asked for the options, and
 * both are counted the same way. It only chooses the limit, and allows nothing.
 */
export type RecentReads = {
  /** The installation of an organization that the person is a member of; null for a stranger. */
  installationOf(userId: string, orgID: number): Promise<number | null>;
  /** The accounts that a target doesn't name but may be read from. */
  elsewhere(target: ApprovalTarget): Promise<number[]>;
};

export function createRecentReads(
  deps: FindMovedDeps & { memberships: Pick<Memberships, 'of'> },
  clock: Clock,
): RecentReads {
  const members = createExpiringMap<number>(clock);
  const targets = createExpiringMap<number[]>(clock);
  return {
    async installationOf(userId, orgID) {
      const key = `${userId}:${orgID}`;
      const recent = members.get(key);
      if (recent !== undefined) return recent;
      const known = (await deps.memberships.of(userId)).find(({ org }) => org.orgId === orgID);
      // A stranger isn't remembered: signing in again makes them known at once.
      if (!known) return null;
      members.set(key, known.org.installationId, RECENT_MS);
      return known.org.installationId;
    },
    async elsewhere(target) {
      const key = JSON.stringify(target);
      const recent = targets.get(key);
      if (recent) return recent;
      const accounts = await accountsElsewhere(deps, target);
      targets.set(key, accounts, RECENT_MS);
      return accounts;
    },
  };
}
