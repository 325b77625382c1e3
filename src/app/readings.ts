import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DailyBackups } from '../adapters/pocketbase/backups/daily-backups.ts';
import type { SharedLimits } from '../adapters/redis/redis-limits.ts';
import { silentInstallations } from '../approvals/reconcile/watch-green-heads.ts';
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
  more: { backups: DailyBackups | null; disks: ReturnType<typeof disksOf>; limits: SharedLimits },
): Readings {
  const { backups, disks, limits } = more;
  const { approvals, notices, reconcileReports } = deps;
  return {
    async lastWebhook() {
      const last = await deps.lastWebhook();
      return last && last.getTime() / 1000;
    },
    silent: async () => (await silentInstallations(deps)).length,
    unreported: async () => (await approvals.unreportedHeads()).length,
    notices: notices.count,
    dataBytes: disks.data,
    backupBytes: disks.backups,
    redis: async () => (limits.isShared === null ? null : Number(limits.isShared())),
    async lastBackup() {
      if (!backups) return null;
      return ((await backups.lastMade())?.getTime() ?? 0) / 1000;
    },
    async sweep() {
      const latest = await reconcileReports.latest();
      return latest && { at: latest.at.getTime() / 1000, faults: latest.report.faults.length };
    },
  };
}

/** How many bytes our user can still write on the disk of the folder, or of the nearest one that exists. */
export async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => null);
  if (found) return found.bavail * found.bsize;
  return freeBytes(dirname(folder));
}
