import pMap from 'p-map';
import { AppError } from '../app-error.ts';
import type { LogReader, SigningKeys } from '../audit/ports.ts';
import type { Clock } from '../clock.ts';
import type { KeyList } from '../contract/receipts.ts';
import { createExpiringMap } from '../expiring-map.ts';
import type { Origins } from '../links.ts';
import type { Organizations } from '../organizations/ports.ts';
import type { LoggedOrganizations } from './ports.ts';

export type PublishedListDeps = {
  signingKeys: Pick<SigningKeys, 'published'>;
  log: Pick<LogReader, 'newest'>;
  organizations: Pick<Organizations, 'byOrgId'>;
  loggedOrganizations: LoggedOrganizations;
  origins: Origins;
  /** Of OTP Guard. */
  version: string;
  /** GitHub's id of the App. */
  appId: number;
  clock: Clock;
};

/** @param orgId Whose log; undefined for those of the first organizations. */
export type ReadPublishedList = (orgId?: number) => Promise<KeyList>;

const MOST_LOGS = 100;
const AT_ONCE = 5;
const REMEMBERED_MS = 60_000;

/** The public list of the keys that ever signed, with the newest checkpoints. */
export function createPublishedList(deps: PublishedListDeps): ReadPublishedList {
  // The logs of all are read once a minute, because reading them costs the most.
  const remembered = createExpiringMap<Promise<KeyList>>(deps.clock);
  const remember = (name: string, read: () => Promise<KeyList>): Promise<KeyList> => {
    const known = remembered.get(name);
    if (known) return known;
    const list = read();
    list.catch(() => remembered.delete(name));
    remembered.set(name, list, REMEMBERED_MS);
    return list;
  };
  return async (orgId) => {
    if (orgId === undefined)
      return remember('', async () => readList(deps, await deps.loggedOrganizations.list(MOST_LOGS)));
    const org = await deps.organizations.byOrgId(orgId);
    // Only organizations that we know are remembered: anyone can name any number of others.
    return remember(org?.id ?? 'none', () => readList(deps, org ? [org] : []));
  };
}

async function readList(
  { signingKeys, log, origins, version, appId }: PublishedListDeps,
  organizations: { id: string; orgId: number }[],
): Promise<KeyList> {
  const keys = await signingKeys.published();
  const logs = await pMap(organizations, (org) => readLog(log, org), { concurrency: AT_ONCE });
  return {
    host: origins.publicUrl,
    version,
    app: appId,
    keys: keys.map(({ created, retired, ...key }) => ({
      ...key,
      created: created.toISOString(),
      retired: retired?.toISOString() ?? null,
    })),
    logs: logs.flat(),
  };
}

/** A log that somebody changed has no checkpoint to publish. The others are still published. */
async function readLog(
  log: PublishedListDeps['log'],
  { id, orgId }: { id: string; orgId: number },
): Promise<{ org: number; checkpoint: string }[]> {
  try {
    const newest = await log.newest(id);
    return newest ? [{ org: orgId, checkpoint: newest.note }] : [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'logChanged') return [];
    throw error;
  }
}
