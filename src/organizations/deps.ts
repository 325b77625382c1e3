import type { Clock } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import type { ApprovalStatistics, Installations, MemberReminders, Memberships, PullSearch } from './ports.ts';
import type { RoleDeps } from './require-role.ts';

/** The dependencies of the calls about an organization. */
export type OrganizationDeps = RoleDeps & {
  installations: Installations;
  memberships: Memberships;
  memberReminders: MemberReminders;
  pullSearch: PullSearch;
  statistics: ApprovalStatistics;
  /** Null or undefined if no mail server is set up. */
  mailer: unknown;
  clock: Clock;
  origins: Origins;
};
