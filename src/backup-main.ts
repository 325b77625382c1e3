import { resolve } from 'node:path';
import { runCommand } from './command.ts';
import { backUp } from './store/backups.ts';

/** `npm run backup -- [file]`: a copy of the record store, also while the product runs. */
runCommand('The backup', async ({ client }) => {
  const now = new Date();
  const stamp = now.toISOString().slice(0, 19).replace(/[:T]/g, '-');
  const file = resolve(process.argv[2] ?? `backups/otp-guard-${stamp}.zip`);
  return { backedUp: true, file, bytes: await backUp(client, file, now) };
});
