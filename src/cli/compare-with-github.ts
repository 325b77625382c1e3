import { reconcile } from '../approvals/reconcile.ts';
import { assemble } from '../assemble.ts';
import { systemClock } from '../clock.ts';
import { createGitHubApp } from '../github/app.ts';
import { syncAllMembers } from '../organizations/sync-members.ts';
import type { Command } from './run-command.ts';

/**
 * Compares every check run with the records: one can be green although the
 * backup doesn't have its approval.
 *
 * @returns False if GitHub didn't answer all of it. The records are restored
 *   then, and the product's next rounds do the rest.
 */
export async function compareWithGitHub({ config, log, client, limits }: Command): Promise<boolean> {
  const app = createGitHubApp(config.github, { log, limits });
  await app.probot.ready();
  const deps = assemble(config, { app, client, log, clock: systemClock });
  try {
    await syncAllMembers(deps);
    const { faults } = await reconcile(deps);
    return faults.length === 0;
  } catch (error) {
    log.warn({ event: 'comparison_incomplete', err: error }, 'could not compare everything with GitHub');
    return false;
  }
}
