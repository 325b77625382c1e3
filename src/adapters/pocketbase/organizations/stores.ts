import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import { createMemberReminders } from './member-reminders.ts';
import { createCandidates, createMemberships } from './memberships.ts';
import { createOrganizations, createRestores } from './organizations.ts';
import { createRepositoryChecks } from './repository-checks.ts';

export const createOrganizationStores = (client: StoreClient, log: ActivityLog) => ({
  candidates: createCandidates(client),
  memberReminders: createMemberReminders(client),
  memberships: createMemberships(client),
  organizations: createOrganizations(client, log),
  repositoryChecks: createRepositoryChecks(client),
  restores: createRestores(client, log),
});
