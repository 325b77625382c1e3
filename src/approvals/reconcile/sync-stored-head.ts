import type { RepositoryRef } from '../../organizations/ports.ts';
import type { HeadDeps } from '../deps.ts';
import type { HeadRef } from '../ports.ts';
import { trySyncCheckRun } from './sync-open-pulls.ts';

/**
 * Finds a repository's address now. Its names and its installation may have
 * changed since `repo` was stored, so this goes by its id, then by its owner's.
 */
export async function locateRepository(
  { openPulls, organizations }: HeadDeps,
  { repo, repoId, orgId }: Omit<StoredHead, 'head'>,
): Promise<RepositoryRef> {
  const [repository] = await openPulls.repositories({ repoId }, 1);
  if (repository) return repository;
  const org = await organizations.byOrgId(orgId);
  return org && org.installationId > 0 ? { ...repo, installation: org.installationId } : repo;
}

export type StoredHead = HeadRef & { orgId: number };

/** Syncs a head that was stored a while ago, like `trySyncCheckRun`: its repository may have moved. */
export async function trySyncStored(deps: HeadDeps, stored: StoredHead): Promise<void> {
  const { repoId, head } = stored;
  await trySyncCheckRun(deps, { repo: await locateRepository(deps, stored), repoId, head });
}
