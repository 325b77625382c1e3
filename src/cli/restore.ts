import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { reconcile } from '../approvals/reconcile.ts';
import { assemble } from '../assemble.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createGitHubApp } from '../github/app.ts';
import { syncAllMembers } from '../organizations/sync-members.ts';
import { backupIdentities } from '../pocketbase/backups/backup-identity.ts';
import { backupName } from '../pocketbase/backups/backup-name.ts';
import { invalidateRestoredState } from '../pocketbase/backups/invalidate-restored-state.ts';
import type { OpenedArchive } from '../pocketbase/backups/open-archive.ts';
import { openBackup } from '../pocketbase/backups/open-backup.ts';
import { readArchivedSchema } from '../pocketbase/backups/read-archived-schema.ts';
import { restoreBackup } from '../pocketbase/backups/restore-backup.ts';
import { temporaryFolder } from '../pocketbase/backups/temporary-store.ts';
import { markRestore } from '../pocketbase/process/restore-marker.ts';
import { findOrReplaceStore, type Store } from '../pocketbase/process/start-store.ts';
import { upsertSuperuser } from '../pocketbase/process/superuser.ts';
import { countIgnoredRecords } from '../pocketbase/schema/count-ignored-records.ts';
import { migrate, SEALED_SINCE } from '../pocketbase/schema/migrate.ts';
import { createSecretKeys, secretKeys } from '../secret-key.ts';
import { StartError } from '../start-error.ts';
import { type Command, runCommand } from './run-command.ts';

/**
 * `npm run restore -- <file>`: replaces the record store with a backup, also
 * while the product is running, or if the store is too damaged to start. Signs
 * everyone out, and reads members and open pull requests from GitHub again.
 */
const [, , file, flag] = process.argv;
const sealRecords = flag === '--seal';
const path = resolve(file ?? '');

type CheckedStore = Store & { archive: OpenedArchive };

runCommand<CheckedStore>('The restore', restore, checkBackup);

const NOT_SEALED =
  'This backup is from before OTP Guard protected its records with SECRET_KEY, so anyone could have changed it. If you trust it: npm run restore -- <file> --seal';

const OTHER_KEY =
  'records of this backup are ignored: another SECRET_KEY protects them. Put that key behind the present one, restore again, and run npm run rotate-key';

/** Opens the backup before anything is changed, then finds or starts the store. */
async function checkBackup(config: Config, log: Logger): Promise<CheckedStore> {
  if (!file) throw new StartError('Name the backup to restore: npm run restore -- <file>');
  const { store, backup } = config;
  const archive = await openBackup({
    path,
    readIdentities: () => backupIdentities(backup.identityFile, secretKeys(config)),
    folder: temporaryFolder(store),
    name: backupName(new Date()),
    // An external store's superuser is the one in the settings, also if it had another password at that time.
    superuser: store.kind === 'external' ? store : undefined,
    onPlain: () => log.warn('this backup is not encrypted; anyone who reads it can read all records'),
  });
  try {
    if (!sealRecords && (await readArchivedSchema(archive)) < SEALED_SINCE) throw new StartError(NOT_SEALED);
    const found = await findOrReplaceStore(config, log);
    const stop = () => Promise.all([found.stop(), archive.remove()]);
    return { ...found, archive, stop: async () => void (await stop()) };
  } catch (error) {
    await archive.remove();
    throw error;
  }
}

async function restore(command: Command<CheckedStore>): Promise<object> {
  const { store } = command.config;
  const replace = () => replaceRecords(command);
  await (store.kind === 'embedded' ? markRestore(store.dataDir, replace) : replace());
  const ignored = await countIgnoredRecords(command.client, createSecretKeys(command.config));
  if (ignored > 0) command.log.warn(OTHER_KEY);
  return { restored: true, ignored, compared: await compareWithGitHub(command) };
}

async function replaceRecords({ config, address, client, store }: Command<CheckedStore>): Promise<void> {
  await restoreBackup(client, {
    path: store.archive.path,
    now: new Date(),
    async upsertSuperuser() {
      if (config.store.kind === 'embedded') await upsertSuperuser(config.store.dataDir, address);
    },
  });
  await migrate(client, config, config.github, { sealRecords });
  await invalidateRestoredState(client, new Date());
}

/**
 * Compares every check run with the records: one can be green although the
 * backup doesn't have its approval.
 *
 * @returns False if GitHub didn't answer all of it. The records are restored
 *   then, and the product's next rounds do the rest.
 */
async function compareWithGitHub({ config, log, client, limits }: Command): Promise<boolean> {
  const app = createGitHubApp(config.github, { log, limits });
  await app.probot.ready();
  const deps = assemble(config, { app, client, log, clock: systemClock });
  try {
    await syncAllMembers(deps);
    const { faults } = await reconcile(deps);
    return faults.length === 0;
  } catch (error) {
    log.warn({ err: error }, 'could not compare everything with GitHub');
    return false;
  }
}
