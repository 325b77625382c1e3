import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../shared/app-error.ts';
import { createRecordMac, type SecretKeys } from '../../../shared/crypto.ts';
import { runStoreCommand } from '../process/commands.ts';
import { COVERED_COLLECTIONS, createRecordSeals, expandOf, type Row } from '../records/record-seals.ts';
import { COLLECTIONS } from '../schema/collections.ts';
import { BEFORE_0_1_0, FIELD_BEFORE_0_1_0 } from '../schema/migrate.ts';
import { SCHEMA_VERSION } from '../schema/schema.ts';
import type { OpenedArchive } from './open-archive.ts';

/** Records that a restore deletes aren't counted. */
const LASTING = COVERED_COLLECTIONS.filter((name) => COLLECTIONS[name].restored !== 'emptied');

/** The content of an opened archive, as far as it decides about a restore. */
type ArchiveContent = {
  /** Its newest schema; 0 for a store without our collections. */
  schema: number;
  /** Whether a build before 0.1.0 made it. */
  isFromBefore: boolean;
  /** When its newest record was created: shortly before the backup was made. Null if it has none. */
  newest: Date | null;
  /** Records that one of the keys has sealed. */
  verified: number;
  /** Records without a MAC, or with one that none of the keys made. */
  foreign: number;
};

/** Runs in PocketBase, and writes what the API shows to a superuser. An older schema doesn't have each collection. */
const READ = `
  const found = new DynamicModel({ version: 0 });
  try { $app.db().newQuery('SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions').one(found); } catch {}
  $os.writeFile(input.folder + '/schema', String(found.version), 0o600);
  try {
    const { collection, id } = input.before;
    if ($app.findCollectionByNameOrId(collection).fields.getById(id)) $os.writeFile(input.folder + '/before', '', 0o600);
  } catch {}
  const row = new DynamicModel({ at: '' });
  let newest = '';
  for (const name of input.dated) {
    try {
      $app.db().newQuery("SELECT COALESCE(MAX(created), '') AS at FROM {{" + name + "}}").one(row);
      if (row.at > newest) newest = row.at;
    } catch {}
  }
  $os.writeFile(input.folder + '/newest', newest, 0o600);
  const showAll = (record) => record.unhide(...record.collection().fields.fieldNames());
  for (const { name, expand } of input.collections) {
    try { $app.findCollectionByNameOrId(name); } catch { continue; }
    for (let last = '', page = 0; ; page += 1) {
      const records = $app.findRecordsByFilter(name, 'id > {:last}', 'id', 200, 0, { last });
      if (records.length === 0) break;
      $app.expandRecords(records, expand);
      for (const record of records) {
        showAll(record);
        for (const relation of expand) if (record.expandedOne(relation)) showAll(record.expandedOne(relation));
      }
      last = records[records.length - 1].id;
      $os.writeFile(input.folder + '/' + name + '.' + page, JSON.stringify(records), 0o600);
    }
  }
`;

/** The collections that get new records often: each reconciliation adds one, every few minutes. */
const OFTEN_WRITTEN = ['gh_activities', 'reconcile_reports', 'webhook_deliveries', 'approvals'];

/** Reads the store of an opened archive and checks each MAC in it with these keys. Starts no server. */
export async function inspectArchive({ dataDir }: OpenedArchive, keys: SecretKeys): Promise<ArchiveContent> {
  const folder = join(dataDir, 'read');
  await mkdir(folder, { mode: 0o700 });
  const collections = LASTING.map((name) => ({ name, expand: expandOf(name).split(',').filter(Boolean) }));
  const input = { folder, collections, dated: OFTEN_WRITTEN, before: FIELD_BEFORE_0_1_0 };
  await runStoreCommand(dataDir, { name: 'otp-guard-read', script: READ, input });
  const schema = Number(await readFile(join(folder, 'schema'), 'utf8'));
  const created = await readFile(join(folder, 'newest'), 'utf8');
  const newest = created === '' ? null : new Date(created);
  const isFromBefore = existsSync(join(folder, 'before'));
  const content = { schema, isFromBefore, newest, verified: 0, foreign: 0 };
  const seals = createRecordSeals(createRecordMac(keys), () => undefined);
  for (const file of await readdir(folder)) {
    const collection = LASTING.find((name) => file.startsWith(`${name}.`));
    if (!collection) continue;
    const rows = JSON.parse(await readFile(join(folder, file), 'utf8')) as Row[];
    for (const row of rows) content[seals.isOurs(collection, row) ? 'verified' : 'foreign'] += 1;
  }
  return content;
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
