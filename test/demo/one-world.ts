import { afterAll, beforeAll } from '@jest/globals';
import pino from 'pino';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { createGitHubApp } from '../../src/adapters/github/app.ts';
import { startWorld, type World } from './world.ts';

/** One local GitHub for all tests of the file that imports this. */
export let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The product's own client of this GitHub. */
export function productAt({ env }: LocalGitHub) {
  const secrets = { privateKey: env.PRIVATE_KEY, webhookSecret: env.WEBHOOK_SECRET };
  const client = { clientId: env.GITHUB_CLIENT_ID, clientSecret: env.GITHUB_CLIENT_SECRET };
  const urls = { serverUrl: env.GITHUB_SERVER_URL, apiUrl: env.GITHUB_API_URL };
  const config = { appId: Number(env.APP_ID), ...secrets, ...client, ...urls };
  return createGitHubApp(config, { log: pino({ level: 'silent' }) });
}
