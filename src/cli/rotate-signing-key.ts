import { createGitHubApp } from '../adapters/github/app.ts';
import { upgradeStore } from '../adapters/pocketbase/backups/write-backup.ts';
import { assemble } from '../app/assemble.ts';
import { systemClock } from '../shared/clock.ts';
import { type Printing, runCommand } from './run-command.ts';

/**
 * `otp-guard rotate-signing-key`: puts a new key in place of the one that signs checkpoints and receipts, also while the
 * product runs. Both stay published, because what the old one signed stays valid.
 */
export const rotateSigningKey = (printing: Printing) =>
  runCommand(
    'The rotation',
    async ({ config, log, client, limits }) => {
      await upgradeStore(client, config, config.github);
      const app = createGitHubApp(config.github, { log, limits });
      const { signingKeys } = assemble(config, { app, client, log, clock: systemClock });
      const { id, publicKey } = await signingKeys.rotate();
      const published = await signingKeys.published();
      return { rotated: true, id, publicKey, published: published.length };
    },
    printing,
  );
