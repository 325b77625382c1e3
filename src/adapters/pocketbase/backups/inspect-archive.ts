import { StartError } from '../../../shared/app-error.ts';
import { createRecordMac, type SecretKeys } from '../../../shared/crypto.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { COLLECTIONS } from '../collections.ts';
import { BEFORE_0_1_0, isFromBefore, readNewestVersion } from '../migrate.ts';
import {
  COVERED_COLLECTIONS,
  type CoveredCollection,
  createRecordSeals,
  expandOf,
  type Row,
} from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';
import { SCHEMA_VERSION } from '../schema.ts';

/** Records that a restore deletes aren't counted. */
const LASTING = COVERED_COLLECTIONS.filter((name) => COLLECTIONS[name].restored !== 'emptied');

/** The content of a backup, as far as it decides about a restore. */
type ArchiveContent = {
  /** Its newest schema; 0 for a store without our collections. */
  schema: number;
  /** True if a build before 0.1.0 made it. */
  isFromBefore: boolean;
  /** The time of its newest record: shortly before the backup was made. Null if it has no records. */
  newest: Date | null;
  /** Records that one of the keys has sealed. */
  verified: number;
  /** Records without a MAC, or with a MAC that none of the keys made. */
  foreign: number;
};

/** The collections that get new records often: each reconciliation adds one, every few minutes. */
const OFTEN_WRITTEN = ['gh_activities', 'reconcile_reports', 'webhook_deliveries', 'approvals'];

const PAGE = 200;

/** Reads the store over an opened archive, and checks each MAC in it with these keys. */
export async function inspectArchive(client: StoreClient, keys: SecretKeys): Promise<ArchiveContent> {
  const seals = createRecordSeals(createRecordMac(keys), () => undefined);
  const content = {
    schema: await readNewestVersion(client),
    isFromBefore: await isFromBefore(client),
    newest: await readNewest(client),
    verified: 0,
    foreign: 0,
  };
  const check = async (collection: CoveredCollection) => {
    const pages = recordsOf<Row>(client, collection).pages(PAGE, { expand: expandOf(collection) });
    for await (const rows of pages)
      for (const row of rows) content[seals.isOurs(collection, row) ? 'verified' : 'foreign'] += 1;
  };
  // An older schema doesn't have each collection.
  for (const collection of LASTING) await check(collection).catch(ignoreMissing);
  return content;
}

/** Reads the time of the newest record; null if there is none. */
async function readNewest(client: StoreClient): Promise<Date | null> {
  const options = { sort: '-created', fields: 'created' };
  const found = OFTEN_WRITTEN.map((name) =>
    recordsOf<{ created: string }>(client, name).first({}, options).catch(ignoreMissing),
  );
  const times = (await Promise.all(found)).flatMap((record) => (record ? [Date.parse(record.created)] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

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
export function requireRestorable({ schema, isFromBefore, verified, foreign }: ArchiveContent): void {
  if (isFromBefore) throw new StartError(`This backup ${BEFORE_0_1_0}.`);
  if (schema === 0) throw new StartError(NO_SCHEMA);
  if (schema > SCHEMA_VERSION) throw new StartError(tooNew(schema));
  if (foreign > 0 && verified === 0) throw new StartError(OTHER_KEY);
}
