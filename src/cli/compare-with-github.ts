import { sweep } from '../approvals/reconcile/reconcile.ts';
import { syncAllMembers } from '../organizations/sync-members.ts';
import { assembleCommand } from './assemble-command.ts';
import type { Command } from './run-command.ts';

/**
 * Compares every check run with the records: one can be green although the
 * backup doesn't have its approval.
 *
 * @returns False if GitHub didn't answer all of it. The records are restored
 *   then, and the product's next rounds do the rest.
 */
export async function compareWithGitHub(command: Command): Promise<boolean> {
  const deps = await assembleCommand(command);
  try {
    await syncAllMembers(deps);
    const { faults } = await sweep(deps);
    return faults.length === 0;
  } catch (error) {
    command.log.warn(
      { event: 'comparison_incomplete', err: error },
      'could not compare everything with GitHub',
    );
    return false;
  }
}
