import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../shared/clock.ts';
import type { StoreClient } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import { recordsOf } from '../records/records-of.ts';
import { backupsIn, DAILY, fileName, tidyFolder } from './backup-folder.ts';

type DailyBackupDeps = {
  folder: string;
  turns: BackupTurns;
  /** Writes an encrypted backup to a new file, in one step. */
  write(path: string, now: Date): Promise<unknown>;
  /** Copies a backup to another place. */
  copy?: ((path: string) => Promise<void>) | undefined;
  clock: Clock;
  onMade(path: string): void;
  onFailed(error: unknown): void;
};

/** Automatic backups. */
export type DailyBackups = ReturnType<typeof createDailyBackups>;

/** The next one is due after a day at most, and is tried again for some time. */
const LATE_MS = 27 * 60 * 60 * 1000;

/** One of all processes over a record store makes a backup each day, soon after midnight in UTC. */
export function createDailyBackups(deps: DailyBackupDeps) {
  const { turns, clock, onMade, onFailed } = deps;
  return {
    /** Makes the backup of this day (UTC) unless it's there. Never rejects: what fails is tried again in an hour. */
    async round() {
      try {
        const last = await turns.lastMade();
        if (last && dayOf(last) === dayOf(clock.now())) return;
        if (!(await turns.take())) return;
        const path = await makeOne(deps);
        await turns.made();
        onMade(path);
      } catch (error) {
        onFailed(error);
      }
    },
    lastMade: turns.lastMade,
    /** Tells whether a newer backup is overdue. */
    async isLate() {
      const since = (await turns.lastMade()) ?? (await turns.storeMade());
      return clock.now().getTime() - since.getTime() > LATE_MS;
    },
  };
}

async function makeOne({ folder, write, copy, clock }: DailyBackupDeps): Promise<string> {
  const now = clock.now();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // First, so that a disk that is full of old ones has room again.
  await tidyFolder(folder, DAILY, now);
  const present = (await backupsIn(folder, DAILY)).find((name) => isOfDay(name, now));
  const path = join(folder, present ?? fileName(DAILY, now));
  // An earlier try got this far.
  if (!existsSync(path)) await write(path, now);
  await tidyFolder(folder, DAILY, now);
  // A backup that couldn't be copied isn't a good one. The next try copies the same file.
  await copy?.(path);
  return path;
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
const isOfDay = (name: string, now: Date) => name.startsWith(`otp-guard-${DAILY.label}-${dayOf(now)}-`);

const HOUR_MS = 60 * 60 * 1000;
const REMEMBERED_MS = 60 * 24 * HOUR_MS;
const MADE = 'backup-made:';

/** Which of the processes over one record store makes the daily backup, and when the last one was made. */
type BackupTurns = ReturnType<typeof createBackupTurns>;

export function createBackupTurns(client: StoreClient) {
  const now = () => client.clock.now();
  return {
    /** The time of the last good backup by any process; null if there was none in the last two months. */
    async lastMade() {
      // A wrong clock can leave a time in the future, which isn't the last backup's.
      const newest = await recordsOf(client, 'one_time_keys').first(
        ['key > {:from} && key <= {:to}', { from: MADE, to: `${MADE}${now().toISOString()}` }],
        { sort: '-key', fields: 'key' },
      );
      return newest && new Date(newest.key.slice(MADE.length));
    },

    /** The record store's first use: a backup that was never made is late from then on, over any restart. */
    async storeMade() {
      const versions = recordsOf(client, 'schema_versions');
      const oldest = await versions.first(['version > 0'], { sort: 'version' });
      return new Date(oldest?.created ?? 0);
    },

    /** True for one process in each hour, so that a failing backup is tried again. */
    take: () => consumeKey(client, `backup-turn:${Math.floor(now().getTime() / HOUR_MS)}`, now()),

    /** Stores that a good backup was made just now. */
    async made() {
      const at = now();
      await consumeKey(client, `${MADE}${at.toISOString()}`, new Date(at.getTime() + REMEMBERED_MS));
    },
  };
}
