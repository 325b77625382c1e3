import { assembleCommand } from './assemble-command.ts';
import { type Printing, runCommand } from './run-command.ts';

/**
 * `otp-guard rotate-signing-key`: replaces the key that signs checkpoints and receipts, also while the
 * product runs. Both stay published, because what the old one signed stays valid.
 */
export const rotateSigningKey = (printing: Printing) =>
  runCommand(
    'The rotation',
    async (command) => {
      const { signingKeys } = (await assembleCommand(command)).process;
      const { id, publicKey } = await signingKeys.rotate();
      const published = await signingKeys.published();
      return { rotated: true, id, publicKey, published: published.length };
    },
    printing,
  );
