// `npm run sweep` with shorter waits, which its first argument holds as JSON.
import { sweep } from '../../dist/approvals/sweep.js';
import { assemble } from '../../dist/assemble.js';
import { systemClock } from '../../dist/clock.js';
import { runCommand } from '../../dist/command.js';
import { createGitHubApp } from '../../dist/github/app.js';
import { prepareStore } from '../../dist/store/open.js';

const waits = JSON.parse(process.argv[2] ?? '{}');

runCommand('The sweep', async ({ config, log, client }) => {
  await prepareStore(client, config, config.github);
  const app = createGitHubApp(config.github, { log, redisUrl: undefined, answerMs: waits.answerMs });
  await app.probot.ready();
  return sweep(assemble(config, { app, client, log, clock: systemClock, waits }));
});
