import { resolve } from 'node:path';
import { backupRecipient } from '../pocketbase/backups/backup-identity.ts';
import { createBackup } from '../pocketbase/backups/create-backup.ts';
import { temporaryFolder } from '../pocketbase/backups/temporary-store.ts';
import { secretKeys } from '../secret-key.ts';
import { runCommand } from './run-command.ts';

/** `npm run backup -- [file]`: writes an encrypted snapshot of the record store, also while the product is running. */
runCommand('The backup', async ({ config, client }) => {
  const now = new Date();
  const stamp = now.toISOString().slice(0, 19).replace(/[:T]/g, '-');
  const path = withAgeEnding(resolve(process.argv[2] ?? `backups/otp-guard-${stamp}.zip`));
  const recipient = await backupRecipient(config.backup.recipient, secretKeys(config));
  const bytes = await createBackup(client, { path, recipient, folder: temporaryFolder(config.store), now });
  return { backedUp: true, file: path, bytes };
});

/** So that nobody takes it for an archive that any program opens. */
const withAgeEnding = (path: string) => (path.endsWith('.age') ? path : `${path}.age`);
