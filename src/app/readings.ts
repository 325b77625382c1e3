import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DailyBackups } from '../adapters/pocketbase/backups/daily-backups.ts';
import type { SharedLimits } from '../adapters/redis/redis-limits.ts';
import { silentInstallations } from '../approvals/reconcile/watch-green-heads.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Config } from '../settings/config.ts';
import type { Assembly } from './assemble.ts';
import type { Readings } from './metrics.ts';

/** The free space in the folders that OTP Guard writes to; null if it writes to none. */
export function disksOf({ store, backup: { folder } }: Config) {
  return {
    data: async () => (store.kind === 'embedded' ? freeBytes(store.dataDir) : null),
    backups: async () => (folder === null ? null : freeBytes(folder)),
  };
}

/** The readings for each request of the metrics. */
export function readingsOf(
  deps: Assembly,
  more: {
    backups: DailyBackups | null;
    disks: ReturnType<typeof disksOf>;
    limits: SharedLimits;
    readiness: Readiness;
  },
): Readings {
  const { backups, disks, limits, readiness } = more;
  const { reconcile, notices } = deps.rounds;
  const seconds = (time: Date | null | undefined) => time && time.getTime() / 1000;
  return {
    lastWebhook: async () => seconds(await deps.bot.deliveries.lastReceivedAt()) ?? null,
    silent: async () => (await silentInstallations(reconcile)).length,
    unreported: async () => (await reconcile.approvals.unreportedHeads()).length,
    notices: notices.notices.count,
    dataBytes: disks.data,
    backupBytes: disks.backups,
    redis: async () => (limits.isShared === null ? null : Number(limits.isShared())),
    ready: async () => Number((await readiness()).isReady),
    // 0 for "never": an alert can't compare with what is absent.
    lastBackup: async () => backups && (seconds(await backups.lastMade()) ?? 0),
    sweptAt: async () => seconds((await reconcile.reconcileReports.latest())?.at) ?? 0,
    sweepFaults: async () => (await reconcile.reconcileReports.latest())?.report.faults.length ?? 0,
  };
}

/** Reads how many bytes our user can still write on the disk of the folder, or of the nearest folder that exists. */
export async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null);
  if (found) return found.bavail * found.bsize;
  return freeBytes(dirname(folder));
}
