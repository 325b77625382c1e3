import { reconcile } from '../approvals/reconcile.ts';
import { assemble } from '../assemble.ts';
import { systemClock } from '../clock.ts';
import { createGitHubApp } from '../github/app.ts';
import { upgradeStore } from '../pocketbase/backups/upgrade-store.ts';
import { type Printing, runCommand } from './run-command.ts';

/** `otp-guard sweep`: reconciles every open pull request now, and prints what was repaired. */
export const sweep = (printing: Printing) =>
  runCommand(
    'The sweep',
    async ({ config, log, client, limits }) => {
      await upgradeStore(client, config, config.github);
      const app = createGitHubApp(config.github, { log, limits });
      await app.probot.ready();
      const report = await reconcile(assemble(config, { app, client, log, clock: systemClock }));
      return { swept: true, ...report };
    },
    printing,
  );
