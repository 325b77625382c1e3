// A bare Probot app, as Probot comes, that only creates a pending check run for each new pull request.

import { createServer } from 'node:http';
import { createNodeMiddleware, createProbot } from 'probot';

const { PORT, GITHUB_API_URL: baseUrl, APP_ID, PRIVATE_KEY, WEBHOOK_SECRET } = process.env;
const overrides = { appId: APP_ID, privateKey: PRIVATE_KEY, secret: WEBHOOK_SECRET, baseUrl };
const probot = createProbot({ env: {}, overrides: { ...overrides, logLevel: 'warn' } });
const app = (bot) => {
  bot.on(['pull_request.opened', 'pull_request.reopened', 'pull_request.synchronize'], async (context) => {
    const { head } = context.payload.pull_request;
    await context.octokit.rest.checks.create({
      ...context.repo(),
      name: 'Bare',
      head_sha: head.sha,
      status: 'in_progress',
      output: { title: 'Waiting', summary: 'Nobody has approved this yet.' },
    });
  });
};
const middleware = await createNodeMiddleware(app, { probot, webhooksPath: '/api/github/webhooks' });
createServer(middleware).listen(Number(PORT), 'localhost', () => process.send({ ready: {} }));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
