import { connectStore } from '../assemble.ts';
import { systemClock } from '../clock.ts';
import { logRestore } from '../organizations/log-restore.ts';
import { invalidateRestoredState } from '../pocketbase/backups/invalidate-restored-state.ts';
import { putBackSigningKeys, readSigningKeys } from '../pocketbase/backups/keep-signing-keys.ts';
import { restoreBackup } from '../pocketbase/backups/restore-backup.ts';
import { markRestore } from '../pocketbase/process/restore-marker.ts';
import { upsertSuperuser } from '../pocketbase/process/superuser.ts';
import { migrate } from '../pocketbase/schema/migrate.ts';
import { createSecretKeys } from '../secret-key.ts';
import type { CheckedStore } from './check-backup.ts';
import type { Command } from './run-command.ts';

const KEYS_LOST =
  'could not read the signing keys of the present store: what those signed that the backup lacks can no longer be verified';
const UNLOGGED = 'restored; could not add that to the log of this organization';

type Restore = Pick<Command<CheckedStore>, 'config' | 'client' | 'log' | 'store'>;

/** Replaces the records with those of a checked backup, and ends what people had begun. */
export async function replaceRecords(restore: Restore): Promise<void> {
  const { store } = restore.config;
  const replace = () => replaceNow(restore);
  await (store.kind === 'embedded' ? markRestore(store.dataDir, replace) : replace());
}

async function replaceNow({ config, client, log, store }: Restore): Promise<void> {
  const keys = createSecretKeys(config);
  // Never a reason against a restore: the present store may be damaged.
  const signingKeys = await readSigningKeys(client, keys).catch((error: unknown) => {
    log.warn({ event: 'signing_keys_lost', err: error }, KEYS_LOST);
    return [];
  });
  await restoreBackup(client, {
    path: store.archive.path,
    now: new Date(),
    async upsertSuperuser() {
      if (config.store.kind === 'embedded') await upsertSuperuser(config.store.dataDir, store.address);
    },
  });
  await migrate(client, config, config.github, { sealRecords: store.sealRecords });
  await putBackSigningKeys(client, signingKeys);
  await invalidateRestoredState(client, new Date());
  const stored = connectStore(keys, { client, clock: systemClock, log }, config.publicUrl);
  await logRestore(
    {
      ...stored,
      onUnlogged: (error, { name }) =>
        log.error({ event: 'restore_unlogged', err: error, org: name }, UNLOGGED),
    },
    store.newest,
  );
}
