import type { Policy } from '../contract/policy.ts';
import type { OrganizationDeps } from '../organizations/deps.ts';
import type { WatchDeps } from './watch.ts';

/** The dependencies of the calls about what protects an organization. */
export type ProtectionDeps = OrganizationDeps &
  WatchDeps & {
    policies: { inForce(orgId: number): Promise<{ policy: Policy; number: number }> };
    /** Begins a round of checks in the background, unless there was one in this minute. */
    checkRepositoriesSoon(): void;
  };
