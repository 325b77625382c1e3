import { resolve } from 'node:path';
import { createBackup } from '../pocketbase/backups/create-backup.ts';
import { runCommand } from './run-command.ts';

/** `npm run backup -- [file]`: writes a snapshot of the record store, also while the product is running. */
runCommand('The backup', async ({ client }) => {
  const now = new Date();
  const stamp = now.toISOString().slice(0, 19).replace(/[:T]/g, '-');
  const file = resolve(process.argv[2] ?? `backups/otp-guard-${stamp}.zip`);
  return { backedUp: true, file, bytes: await createBackup(client, file, now) };
});
