import { StartError } from '../../../shared/start-error.ts';
import { SCHEMA_VERSION } from '../schema/schema.ts';
import type { ArchiveContent } from './inspect-archive.ts';

const NO_SCHEMA = 'This backup has no records of OTP Guard. Restore one that otp-guard backup made.';

const OTHER_KEY =
  'None of the records of this backup would count: no key in SECRET_KEY has sealed them. Put the SECRET_KEY that the backup was made with behind the present one, restore again, and run otp-guard rotate-key.';

const tooNew = (schema: number) =>
  `This backup has schema ${schema}, and this version of OTP Guard only knows schemas up to ${SCHEMA_VERSION}. Restore it with a newer version.`;

/**
 * Decides before anything is changed whether a backup may replace the record store. A few records that don't verify
 * are no reason to refuse: they don't count, and a single forged record mustn't make a backup useless.
 *
 * @throws StartError with one sentence if no record would count, or the schema doesn't fit.
 */
export function requireRestorable({ schema, verified, foreign }: ArchiveContent): void {
  if (schema === 0) throw new StartError(NO_SCHEMA);
  if (schema > SCHEMA_VERSION) throw new StartError(tooNew(schema));
  if (foreign > 0 && verified === 0) throw new StartError(OTHER_KEY);
}
