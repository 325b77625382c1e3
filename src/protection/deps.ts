import type { Policy } from '../contract/policy.ts';
import type { OrganizationDeps } from '../organizations/deps.ts';
import type { Organizations } from '../organizations/ports.ts';
import type { WaitingDeployments } from '../organizations/waiting-deployments.ts';
import type { Users } from '../people/ports.ts';
import type { Clock } from '../shared/clock.ts';
import type { KnownAccounts, Protections, RepositoryChecks, Weakenings } from './ports.ts';

/** What it takes to compare what protects an account with what was known. */
export type WatchDeps = {
  protections: Protections;
  knownAccounts: KnownAccounts;
  weakenings: Weakenings;
  organizations: Pick<Organizations, 'all' | 'byId' | 'removed'>;
  repositoryChecks: RepositoryChecks;
  users: Pick<Users, 'userIdOf'>;
  clock: Clock;
};

/** The dependencies of the calls about what protects an organization. */
export type ProtectionDeps = OrganizationDeps &
  WatchDeps &
  WaitingDeployments & {
    policies: { inForce(orgId: number): Promise<{ policy: Policy; number: number }> };
    /** Begins a round of checks in the background, unless there was one in this minute. */
    checkRepositoriesSoon(): void;
  };
