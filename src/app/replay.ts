import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Probot } from 'probot';
import { createGitHubApp } from '../adapters/github/app.ts';
import { createStoreClient } from '../adapters/pocketbase/client.ts';
import { startStore } from '../adapters/pocketbase/process/start-store.ts';
import { migrate } from '../adapters/pocketbase/schema/migrate.ts';
import type { BotDeps } from '../bot/ports.ts';
import { loadDotEnv, readConfigApart } from '../settings/config.ts';
import { StartError } from '../shared/app-error.ts';
import { systemClock } from '../shared/clock.ts';
import { createLog } from '../shared/log.ts';
import { assemble } from './assemble.ts';

/** How long a webhook may take. GitHub's limits can make the product wait for longer. */
const MOST_MS = 120_000;

/**
 * What the handlers need to process one webhook by hand, at the GitHub of the settings, over an empty record store in a
 * temporary folder.
 *
 * @throws ConfigError or StartError with what to do.
 */
export async function startReplay() {
  loadDotEnv();
  setTimeout(() => {
    process.stderr.write('The webhook was not processed within two minutes.\n');
    process.exit(1);
  }, MOST_MS).unref();
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-replay-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const settings = readConfigApart(dataDir);
  const { github } = settings;
  if (!github) throw new StartError('There is no GitHub App in the settings: set APP_ID and PRIVATE_KEY.');
  const config = { ...settings, github };
  const log = await createLog({ ...config, logLevel: 'warn' });
  const store = await startStore(config, log);
  const client = createStoreClient(store.address);
  await migrate(client, config, github);
  const app = createGitHubApp(github, { log });
  await app.probot.ready();
  const deps: BotDeps = { ...assemble(config, { app, client, log, clock: systemClock }), log };
  return { deps, endingAfter: (probot: Pick<Probot, 'on' | 'onAny'>) => endAfter(probot, store.stop) };
}

/** Registers handlers, and calls `end` after all that the next event has have ended. */
function endAfter(probot: Pick<Probot, 'on' | 'onAny'>, end: () => Promise<void>): Pick<Probot, 'on'> {
  const names: string[] = [];
  let isCounted = false;
  let left = 0;
  const endIfLast = async () => {
    if (isCounted && left === 0) await end();
  };
  probot.onAny(async ({ name, payload }) => {
    const action = 'action' in payload ? payload.action : '';
    left += names.filter((one) => one === name || one === `${name}.${action}`).length;
    isCounted = true;
    await endIfLast();
  });
  const on: Probot['on'] = (events, handler) => {
    names.push(...[events].flat());
    probot.on(events, async (context) => {
      try {
        await handler(context);
      } finally {
        left -= 1;
        await endIfLast();
      }
    });
  };
  return { on };
}
