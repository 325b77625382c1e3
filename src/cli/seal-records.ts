import { upgradeStore } from '../pocketbase/backups/upgrade-store.ts';
import { readSchemaVersion, SEALED_SINCE } from '../pocketbase/schema/migrate.ts';
import { StartError } from '../start-error.ts';
import { type Printing, runCommand } from './run-command.ts';

const ALREADY_SEALED =
  'The records were sealed before, so OTP Guard did not write a record without a MAC. If you have checked all of them: otp-guard seal-records --again';

/**
 * `otp-guard seal-records`: gives the records of an older version their MACs, once.
 * Nothing in the database can ask for it, because forged records would get one too.
 */
export const sealRecords = ({ again = false, ...printing }: Printing & { again?: boolean }) =>
  runCommand(
    'Sealing the records',
    async ({ config, client }) => {
      if ((await readSchemaVersion(client)) >= SEALED_SINCE && !again) throw new StartError(ALREADY_SEALED);
      const { sealed } = await upgradeStore(client, config, config.github, { sealRecords: true });
      return { sealed };
    },
    printing,
  );
