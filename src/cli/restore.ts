import { resolve } from 'node:path';
import { createStoreClient } from '../adapters/pocketbase/client.ts';
import { findOrReplaceStore } from '../adapters/pocketbase/process/start-store.ts';
import { replaceRecords } from '../app/replace-records.ts';
import { sweep } from '../approvals/reconcile/reconcile.ts';
import { syncAllMembers } from '../organizations/sync-members.ts';
import { assembleCommand } from './assemble-command.ts';
import { type OpenedBackup, openInTemporaryStore } from './open-in-temporary-store.ts';
import { sayWaiting } from './print.ts';
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
  runCommand<OpenedBackup>('The restore', restoreOpened, {
    ...printing,
    interrupted: INTERRUPTED,
    openStore: (config, log) => openInTemporaryStore(config, log, resolve(file)),
  });

async function restoreOpened(command: Command<OpenedBackup>): Promise<object> {
  const { config, log, store: backup } = command;
  const onReplace = () => command.ignoreSignals(REPLACING);
  const store = await findOrReplaceStore(config, log, { onWait: sayWaiting, onReplace });
  try {
    command.ignoreSignals(REPLACING);
    const restored = { ...command, store, client: createStoreClient(store.address) };
    await replaceRecords(restored, backup);
    return { restored: true, ignored: backup.ignored, compared: await compareWithGitHub(restored) };
  } finally {
    await store.stop();
  }
}

/**
 * Compares every check run with the records: one can be green although the
 * backup doesn't have its approval.
 *
 * @returns False if GitHub didn't answer all of it. The records are restored
 *   then, and the product's next rounds do the rest.
 */
async function compareWithGitHub(command: Command): Promise<boolean> {
  const { rounds } = await assembleCommand(command);
  try {
    await syncAllMembers(rounds.accounts);
    const { faults } = await sweep(rounds.reconcile);
    return faults.length === 0;
  } catch (error) {
    command.log.warn(
      { event: 'comparison_incomplete', err: error },
      'could not compare everything with GitHub',
    );
    return false;
  }
}
