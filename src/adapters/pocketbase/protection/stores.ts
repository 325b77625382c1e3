import type { StoreDeps } from '../audit/activity-log.ts';
import { createRepositoryChecks } from './repository-checks.ts';
import { createKnownAccounts, createWeakenings } from './weakenings.ts';

export const createProtectionStores = ({ client, log, seals }: StoreDeps) => ({
  knownAccounts: createKnownAccounts(client),
  repositoryChecks: createRepositoryChecks(client),
  weakenings: createWeakenings(client, log, seals),
});
