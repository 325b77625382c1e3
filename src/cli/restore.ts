import { resolve } from 'node:path';
import { StartError } from '../start-error.ts';
import { type CheckedStore, checkBackup } from './check-backup.ts';
import { compareWithGitHub } from './compare-with-github.ts';
import { replaceRecords } from './replace-records.ts';
import { type Command, runCommand } from './run-command.ts';

/**
 * `npm run restore -- <file>`: replaces the record store with a backup, also
 * while the product is running, or if the store is too damaged to start. Signs
 * everyone out, and reads members and open pull requests from GitHub again.
 */
const [, , file, flag] = process.argv;

runCommand<CheckedStore>('The restore', restore, async (config, log) => {
  if (!file) throw new StartError('Name the backup to restore: npm run restore -- <file>');
  return checkBackup(config, log, { path: resolve(file), sealRecords: flag === '--seal' });
});

async function restore(command: Command<CheckedStore>): Promise<object> {
  await replaceRecords(command);
  return { restored: true, ignored: command.store.ignored, compared: await compareWithGitHub(command) };
}
