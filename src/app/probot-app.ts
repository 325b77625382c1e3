import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Probot } from 'probot';
import { createGitHubApp } from '../adapters/github/app.ts';
import { createStoreClient } from '../adapters/pocketbase/client.ts';
import { migrate } from '../adapters/pocketbase/migrate.ts';
import { removeAtExit } from '../adapters/pocketbase/process/leftovers.ts';
import { startStore } from '../adapters/pocketbase/process/start-store.ts';
import type { BotDeps } from '../bot/deps.ts';
import { registerHandlers } from '../bot/handlers.ts';
import { loadDotEnv, readConfigApart } from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import { createLog } from '../shared/log.ts';
import { assemble } from './assemble.ts';

/**
 * The Probot app: registers the product's webhook handlers. The product passes their dependencies. Without them, as when
 * `probot receive` loads this file, the app works over a record store of its own, and ends it after the webhook.
 */
export default async function probotApp(
  probot: Pick<Probot, 'on'>,
  { deps }: { deps?: BotDeps },
): Promise<void> {
  registerHandlers(probot, deps ?? (await startReplay()));
}

/** How long a webhook may take. GitHub's limits can make the product wait for longer. */
const MOST_MS = 120_000;

/**
 * What the handlers need to process one webhook by hand, at the GitHub of the settings, over an empty record store in a
 * temporary folder.
 *
 * @throws ConfigError or StartError with what to do.
 */
async function startReplay(): Promise<BotDeps> {
  loadDotEnv();
  setTimeout(() => {
    process.stderr.write('The webhook was not processed within two minutes.\n');
    process.exit(1);
  }, MOST_MS).unref();
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-replay-'));
  process.once('exit', () => removeAtExit(dataDir));
  const settings = readConfigApart(dataDir);
  const { github } = settings;
  if (!github) throw new StartError('There is no GitHub App in the settings: set APP_ID and PRIVATE_KEY.');
  const config = { ...settings, github };
  const log = await createLog({ ...config, logLevel: 'warn' });
  const store = await startStore(config, log);
  // Nothing but the webhook keeps this process running.
  process.once('beforeExit', store.stop);
  const client = createStoreClient(store.address);
  await migrate(client, config, github);
  const app = createGitHubApp(github, { log });
  await app.probot.ready();
  return { ...assemble(config, { app, client, log, clock: systemClock }).bot, log };
}
