import { resolve } from 'node:path';
import { runCommand } from './run-command.ts';
import { writeBackup } from './write-backup.ts';

/** `npm run backup -- [file]`: writes an encrypted snapshot of the record store, also while the product is running. */
runCommand('The backup', (command) => {
  const now = new Date();
  const stamp = now.toISOString().slice(0, 19).replace(/[:T]/g, '-');
  const path = resolve(process.argv[2] ?? `backups/otp-guard-${stamp}.zip`);
  return writeBackup(command, { path: withAgeEnding(path), now });
});

/** So that nobody takes it for an archive that any program opens. */
const withAgeEnding = (path: string) => (path.endsWith('.age') ? path : `${path}.age`);
