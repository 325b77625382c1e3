import { sweep } from './approvals/sweep.ts';
import { assemble } from './assemble.ts';
import { systemClock } from './clock.ts';
import { runCommand } from './command.ts';
import { createGitHubApp } from './github/app.ts';
import { prepareStore } from './store/open.ts';

/** `npm run sweep`: looks at every open pull request now, and prints what was put right. */
runCommand('The sweep', async ({ config, log, client }) => {
  await prepareStore(client, config, config.github);
  const app = createGitHubApp(config.github, { log, redisUrl: config.redisUrl });
  await app.probot.ready();
  const report = await sweep(assemble(config, { app, client, log, clock: systemClock }));
  return { swept: true, ...report };
});
