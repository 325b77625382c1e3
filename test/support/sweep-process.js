// `otp-guard sweep --json` with shorter waits, which the first argument holds as JSON.

import { createGitHubApp } from '../../dist/adapters/github/app.js';
import { migrate } from '../../dist/adapters/pocketbase/migrate.js';
import { assemble } from '../../dist/app/assemble.js';
import { reconcile } from '../../dist/approvals/reconcile/reconcile.js';
import { runCommand } from '../../dist/cli/run-command.js';
import { systemClock } from '../../dist/shared/clock.js';

const waits = JSON.parse(process.argv[2] ?? '{}');

const sweep = async ({ config, log, client }) => {
  await migrate(client, config, config.github);
  const { answerMs, retryMs, writes } = waits;
  const app = createGitHubApp(config.github, { log, answerMs, retryMs, writes });
  await app.probot.ready();
  return reconcile(assemble(config, { app, client, log, clock: systemClock, waits }).rounds.reconcile);
};

await runCommand('The sweep', sweep, { json: true });
