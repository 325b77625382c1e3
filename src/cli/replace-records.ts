import { invalidateRestoredState } from '../pocketbase/backups/invalidate-restored-state.ts';
import { restoreBackup } from '../pocketbase/backups/restore-backup.ts';
import { markRestore } from '../pocketbase/process/restore-marker.ts';
import { upsertSuperuser } from '../pocketbase/process/superuser.ts';
import { migrate } from '../pocketbase/schema/migrate.ts';
import type { CheckedStore } from './check-backup.ts';
import type { Command } from './run-command.ts';

type Restore = Pick<Command<CheckedStore>, 'config' | 'client' | 'store'>;

/** Replaces the records with those of a checked backup, and ends what people had begun. */
export async function replaceRecords(restore: Restore): Promise<void> {
  const { store } = restore.config;
  const replace = () => replaceNow(restore);
  await (store.kind === 'embedded' ? markRestore(store.dataDir, replace) : replace());
}

async function replaceNow({ config, client, store }: Restore): Promise<void> {
  await restoreBackup(client, {
    path: store.archive.path,
    now: new Date(),
    async upsertSuperuser() {
      if (config.store.kind === 'embedded') await upsertSuperuser(config.store.dataDir, store.address);
    },
  });
  await migrate(client, config, config.github, { sealRecords: store.sealRecords });
  await invalidateRestoredState(client, new Date());
}
