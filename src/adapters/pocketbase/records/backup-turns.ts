import { first, type StoreClient } from '../client.ts';
import { consumeKey } from './one-time-keys.ts';

const HOUR_MS = 60 * 60 * 1000;
const REMEMBERED_MS = 60 * 24 * HOUR_MS;
const MADE = 'backup-made:';

/** Which of the processes over one record store makes the daily backup, and when the last one was made. */
export type BackupTurns = {
  /** When the last good backup was made, in any process; null if that wasn't in the last two months. */
  lastMade(): Promise<Date | null>;
  /** When this record store was first used: a backup that was never made is late from then on, over any restart. */
  storeMade(): Promise<Date>;
  /** True for one process in each hour, so that a failing backup is tried again. */
  take(): Promise<boolean>;
  /** Stores that a good backup was made just now. */
  made(): Promise<void>;
};

export function createBackupTurns(client: StoreClient): BackupTurns {
  const now = () => client.clock.now();
  return {
    async lastMade() {
      // One from the future, as a clock that was wrong leaves behind, isn't the last one.
      const newest = await client.run((records) =>
        first<{ key: string }>(
          records,
          'one_time_keys',
          'key > {:from} && key <= {:to}',
          { from: MADE, to: `${MADE}${now().toISOString()}` },
          { sort: '-key', fields: 'key' },
        ),
      );
      return newest && new Date(newest.key.slice(MADE.length));
    },

    async storeMade() {
      const oldest = await client.run((records) =>
        first<{ created: string }>(records, 'schema_versions', 'version > 0', {}, { sort: 'version' }),
      );
      return new Date(oldest?.created ?? 0);
    },

    take: () => consumeKey(client, `backup-turn:${Math.floor(now().getTime() / HOUR_MS)}`, now()),

    async made() {
      const at = now();
      await consumeKey(client, `${MADE}${at.toISOString()}`, new Date(at.getTime() + REMEMBERED_MS));
    },
  };
}
