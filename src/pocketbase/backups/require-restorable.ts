import { StartError } from '../../start-error.ts';
import { SEALED_SINCE } from '../schema/migrate.ts';
import { SCHEMA_VERSION } from '../schema/schema.ts';
import type { ArchiveContent } from './inspect-archive.ts';

const NOT_SEALED =
  'This backup is from before OTP Guard protected its records with SECRET_KEY, so anyone could have changed it. If you trust it: otp-guard restore <file> --seal';

const ALREADY_SEALED =
  'OTP Guard sealed the records of this backup when it wrote them, so one without a MAC is not its own. Restore it without --seal.';

const OTHER_KEY =
  'None of the records of this backup would count: no key in SECRET_KEY has sealed them. Put the SECRET_KEY that the backup was made with behind the present one, restore again, and run otp-guard rotate-key.';

const tooNew = (schema: number) =>
  `This backup has schema ${schema}, and this version of OTP Guard only knows schemas up to ${SCHEMA_VERSION}. Restore it with a newer version.`;

/** The number of records that count after a restore, and of those that OTP Guard will ignore. */
type Outcome = { counted: number; ignored: number };

/**
 * Decides before anything is changed whether a backup may replace the record
 * store. Some records that don't verify are no reason to refuse: they don't
 * count, and a single forged record mustn't make a backup useless.
 *
 * @param options.sealRecords The operator trusts a backup from before records had MACs.
 * @throws StartError with one sentence if no record would count, or the schema doesn't fit.
 */
export function requireRestorable(
  { schema, verified, unsealed, foreign }: ArchiveContent,
  { sealRecords }: { sealRecords: boolean },
): Outcome {
  if (schema > SCHEMA_VERSION) throw new StartError(tooNew(schema));
  const isOld = schema < SEALED_SINCE;
  if (isOld && !sealRecords) throw new StartError(NOT_SEALED);
  if (!isOld && sealRecords) throw new StartError(ALREADY_SEALED);
  const sealed = sealRecords ? unsealed : 0;
  const outcome = { counted: verified + sealed, ignored: foreign + unsealed - sealed };
  if (outcome.ignored > 0 && outcome.counted === 0) throw new StartError(OTHER_KEY);
  return outcome;
}
