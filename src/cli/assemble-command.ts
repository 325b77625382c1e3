import { createGitHubApp } from '../adapters/github/app.ts';
import { upgradeStore } from '../adapters/pocketbase/backups/write-backup.ts';
import { type Assembly, assemble } from '../app/assemble.ts';
import type { SweepTurns } from '../approvals/reconcile/ports.ts';
import { systemClock } from '../shared/clock.ts';
import type { Command } from './run-command.ts';

const WAITS = 'Waiting until the reconciliation that another process is running has ended.\n';

/** Upgrades the store, and returns the product's use cases for a command, with a GitHub App that is ready. */
export async function assembleCommand({ config, log, client, limits }: Command): Promise<Assembly> {
  await upgradeStore(client, config, config.github);
  const app = createGitHubApp(config.github, { log, limits });
  await app.probot.ready();
  const assembly = assemble(config, { app, client, log, clock: systemClock });
  const onWait = () => process.stderr.write(WAITS);
  const { rounds, process: own } = assembly;
  const sweepTurns: SweepTurns = { during: (work) => own.leases.during('sweep', work, onWait) };
  return { ...assembly, rounds: { ...rounds, reconcile: { ...rounds.reconcile, sweepTurns } } };
}
