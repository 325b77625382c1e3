import { resolve } from 'node:path';
import { replaceRecords } from '../app/replace-records.ts';
import { sweep } from '../approvals/reconcile/reconcile.ts';
import { syncAllMembers } from '../organizations/sync-members.ts';
import { assembleCommand } from './assemble-command.ts';
import { type CheckedStore, checkBackup } from './check-backup.ts';
import { type Command, type Printing, runCommand } from './run-command.ts';

const INTERRUPTED =
  'The restore was interrupted before it replaced any record: everything is as it was. Run it again.';
const REPLACING =
  'The records are being replaced. The restore ends once every check on GitHub was compared with them: one may be green without an approval.';

/**
 * `otp-guard restore <file>`: replaces the record store with a backup, also
 * while the product is running, or if the store is too damaged to start. Signs
 * everyone out, and reads members and open pull requests from GitHub again.
 */
export const restore = (file: string, printing: Printing) =>
  runCommand<CheckedStore>(
    'The restore',
    async (command) => {
      command.ignoreSignals(REPLACING);
      await replaceRecords(command);
      const { ignored } = command.store.backup;
      return { restored: true, ignored, compared: await compareWithGitHub(command) };
    },
    {
      ...printing,
      interrupted: INTERRUPTED,
      openStore: (config, log, ignoreSignals) =>
        checkBackup(config, log, resolve(file), () => ignoreSignals(REPLACING)),
    },
  );

/**
 * Compares every check run with the records: one can be green although the
 * backup doesn't have its approval.
 *
 * @returns False if GitHub didn't answer all of it. The records are restored
 *   then, and the product's next rounds do the rest.
 */
async function compareWithGitHub(command: Command): Promise<boolean> {
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
