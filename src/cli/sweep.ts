import { sweep as sweepInTurn } from '../approvals/reconcile/reconcile.ts';
import { assembleCommand } from './assemble-command.ts';
import { type Printing, runCommand } from './run-command.ts';

/**
 * `otp-guard sweep`: reconciles every open pull request now, and prints what was repaired. Waits while
 * another process does.
 */
export const sweep = (printing: Printing) =>
  runCommand(
    'The sweep',
    async (command) => ({
      swept: true,
      ...(await sweepInTurn((await assembleCommand(command)).rounds.reconcile)),
    }),
    printing,
  );
