import { resolve } from 'node:path';
import { readAllMembers } from './accounts/member-list.ts';
import { compareRuns } from './approvals/compare-runs.ts';
import { sweep } from './approvals/sweep.ts';
import { type Assembly, assemble } from './assemble.ts';
import { systemClock } from './clock.ts';
import { runCommand } from './command.ts';
import { createGitHubApp } from './github/app.ts';
import { StartError } from './start-error.ts';
import { beginAnew, requireBackup, requireUsableBackup, restore } from './store/backups.ts';
import { attachOrReplaceStore, prepareStore } from './store/open.ts';
import { letSuperuserIn } from './store/process.ts';
import { whileRestoring } from './store/running.ts';

/**
 * `npm run restore -- <file>`: puts a backup in the place of the record store,
 * also while the product runs, or where the store is too damaged to start. Everyone is signed out; members and open pull
 * requests are read from GitHub anew.
 */
const EVERY = 1_000;
const [, , name] = process.argv;
const path = resolve(name ?? '');

runCommand(
  'The restore',
  async ({ config, log, address, client }) => {
    const { store } = config;
    const afterwards = async () => {
      if (store.kind === 'embedded') await letSuperuserIn(store.dataDir, address);
    };
    const replace = async () => {
      await restore(client, { path, now: new Date(), afterwards });
      await prepareStore(client, config, config.github);
      await beginAnew(client, new Date());
    };
    await (store.kind === 'embedded' ? whileRestoring(store.dataDir, replace) : replace());

    const app = createGitHubApp(config.github, { log, redisUrl: config.redisUrl });
    await app.probot.ready();
    const deps = assemble(config, { app, client, log, clock: systemClock });
    // The records are back; what GitHub does not answer now, the product's own rounds do.
    const isCompared = await compareAll(deps).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'GitHub was not asked for all of it');
        return false;
      },
    );
    return { restored: true, compared: isCompared };
  },
  async (config, log) => {
    if (!name) throw new StartError('Which backup? npm run restore -- <file>');
    await requireBackup(path);
    await requireUsableBackup(path, new Date());
    return attachOrReplaceStore(config, log);
  },
);

/** A check can be green whose approval the backup does not have: every run is compared. */
async function compareAll(deps: Assembly): Promise<void> {
  await readAllMembers(deps);
  await sweep(deps);
  await compareRuns(deps, EVERY);
}
