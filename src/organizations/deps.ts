import type { Policy } from '../contract/policy.ts';
import type { Origins } from '../shared/links.ts';
import type { ApprovalStatistics, Installations, MemberReminders, Memberships, PullSearch } from './ports.ts';
import type { WatchDeps } from './protection/watch.ts';
import type { RoleDeps } from './require-role.ts';

/** The dependencies of the calls about an organization. */
export type OrganizationDeps = RoleDeps &
  WatchDeps & {
    installations: Installations;
    memberships: Memberships;
    memberReminders: MemberReminders;
    pullSearch: PullSearch;
    statistics: ApprovalStatistics;
    policies: { inForce(orgId: number): Promise<{ policy: Policy; number: number }> };
    /** Begins a round of checks in the background, unless there was one in this minute. */
    checkRepositoriesSoon(): void;
    /** Null or undefined if no mail server is set up. */
    mailer: unknown;
    origins: Origins;
  };
