import pMap from 'p-map';
import type { Installation } from '../../organizations/ports.ts';
import type { HeadDeps } from '../deps.ts';
import { type HeadSync, plainSync, syncGreenHeads } from './sync-open-pulls.ts';

/** The number of repositories that are synced simultaneously. */
const CONCURRENCY = 4;

/**
 * Saves an installation's organization and syncs all open pull requests of its repositories. Does nothing if the
 * installation has ended: the App may be installed again under another id, and the saved pull requests are that one's.
 */
export async function syncInstallation(
  deps: HeadDeps,
  installation: Installation,
  headSync: HeadSync = plainSync(deps),
): Promise<void> {
  const repositories = installation.suspended ? [] : await deps.installations.repositories(installation.id);
  if (!repositories) return;
  await deps.organizations.save(installation);
  if (installation.suspended) return;
  await deps.openPulls.removeOtherRepositories(
    installation.account.id,
    repositories.map(({ id }) => id),
  );
  const others = await pMap(
    repositories,
    (repository) => syncGreenHeads(deps, { installation: installation.id, ...repository }, headSync),
    { concurrency: CONCURRENCY },
  );
  await pMap(others, (syncOthers) => syncOthers(), { concurrency: CONCURRENCY });
}
