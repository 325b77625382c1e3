import { migrate, readSchemaVersion, SEALED_SINCE } from '../pocketbase/schema/migrate.ts';
import { StartError } from '../start-error.ts';
import { runCommand } from './run-command.ts';

const ALREADY_SEALED =
  'The records were sealed before, so OTP Guard did not write a record without a MAC. If you have checked all of them: npm run seal-records -- --again';

/**
 * `npm run seal-records`: gives the records of an older version their MACs, once.
 * Nothing in the database can ask for it, because forged records would get one too.
 */
runCommand('Sealing the records', async ({ config, client }) => {
  const isAgain = process.argv[2] === '--again';
  if ((await readSchemaVersion(client)) >= SEALED_SINCE && !isAgain) throw new StartError(ALREADY_SEALED);
  const { sealed } = await migrate(client, config, config.github, { sealRecords: true });
  return { sealed };
});
