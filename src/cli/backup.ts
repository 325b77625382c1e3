import { resolve } from 'node:path';
import { writeBackup } from '../adapters/pocketbase/backups/write-backup.ts';
import { type Printing, runCommand } from './run-command.ts';

/** `otp-guard backup [file]`: writes an encrypted snapshot of the record store, also while the product is running. */
export const backup = (file: string | undefined, printing: Printing) =>
  runCommand(
    'The backup',
    (command) => {
      const now = new Date();
      const stamp = now.toISOString().slice(0, 19).replace(/[:T]/g, '-');
      const path = resolve(file ?? `backups/otp-guard-${stamp}.zip`);
      return writeBackup(command, { path: withAgeEnding(path), now });
    },
    printing,
  );

/** The name ends with .age, so that nobody takes the file for an archive that any program opens. */
const withAgeEnding = (path: string) => (path.endsWith('.age') ? path : `${path}.age`);
