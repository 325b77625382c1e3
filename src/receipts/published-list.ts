import pMap from 'p-map';
import type { LogReader, PublishedKey, SigningKeys } from '../audit/ports.ts';
import type { KeyList } from '../contract/receipts.ts';
import type { Organizations } from '../organizations/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { Clock } from '../shared/clock.ts';
import { createReadOnce } from '../shared/expiring-map.ts';
import type { Origins } from '../shared/links.ts';

type PublishedListDeps = {
  signingKeys: Pick<SigningKeys, 'published'>;
  auditLog: Pick<LogReader, 'newest'>;
  organizations: Pick<Organizations, 'all' | 'byOrgId'>;
  origins: Origins;
  /** OTP Guard's version. */
  version: string;
  /** GitHub's id of the App. */
  appId: number;
  clock: Clock;
};

type Logs = { org: number; checkpoint: string }[];

/** @param orgId Whose log; undefined for those of the first organizations. */
export type ReadPublishedList = (orgId?: number) => Promise<KeyList>;

const MOST_LOGS = 100;
const AT_ONCE = 5;
const REMEMBERED_MS = 60_000;

/** The public list of the keys that ever signed, with the newest checkpoints. */
export function createPublishedList(deps: PublishedListDeps): ReadPublishedList {
  // The logs are read once a minute, because reading them costs the most. The keys are read each time: a new one signs immediately.
  const remember = createReadOnce<Logs>(deps.clock, REMEMBERED_MS);
  const logsOf = async (orgId: number | undefined): Promise<Logs> => {
    if (orgId === undefined)
      return remember('', async () =>
        readLogs(deps.auditLog, (await deps.organizations.all()).slice(0, MOST_LOGS)),
      );
    const org = await deps.organizations.byOrgId(orgId);
    // Only organizations that we know are remembered: anyone can name any number of others.
    return org ? remember(org.id, () => readLogs(deps.auditLog, [org])) : [];
  };
  return async (orgId) => {
    const { origins, version, appId } = deps;
    const logs = await logsOf(orgId);
    const keys = await deps.signingKeys.published();
    return { host: origins.publicUrl, version, app: appId, keys: keys.map(toListed), logs };
  };
}

const toListed = ({ created, retired, ...key }: PublishedKey): KeyList['keys'][number] => ({
  ...key,
  created: created.toISOString(),
  retired: retired?.toISOString() ?? null,
});

async function readLogs(
  log: PublishedListDeps['auditLog'],
  organizations: { id: string; orgId: number }[],
): Promise<Logs> {
  const logs = await pMap(organizations, (org) => readLog(log, org), { concurrency: AT_ONCE });
  return logs.flat();
}

/** A log that was changed from outside has no checkpoint to publish. The others are still published. */
async function readLog(
  log: PublishedListDeps['auditLog'],
  { id, orgId }: { id: string; orgId: number },
): Promise<Logs> {
  try {
    const newest = await log.newest(id);
    return newest ? [{ org: orgId, checkpoint: newest.note }] : [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'logChanged') return [];
    throw error;
  }
}
