import { resolve } from 'node:path';
import { replaceRecords } from '../app/replace-records.ts';
import { type CheckedStore, checkBackup } from './check-backup.ts';
import { compareWithGitHub } from './compare-with-github.ts';
import { type Printing, runCommand } from './run-command.ts';

/**
 * `otp-guard restore <file>`: replaces the record store with a backup, also
 * while the product is running, or if the store is too damaged to start. Signs
 * everyone out, and reads members and open pull requests from GitHub again.
 */
export const restore = (file: string, printing: Printing) =>
  runCommand<CheckedStore>(
    'The restore',
    async (command) => {
      await replaceRecords(command);
      return {
        restored: true,
        ignored: command.store.ignored,
        compared: await compareWithGitHub(command),
      };
    },
    {
      ...printing,
      openStore: (config, log) => checkBackup(config, log, resolve(file)),
    },
  );
