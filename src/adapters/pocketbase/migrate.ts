import { setTimeout as delay } from 'node:timers/promises';
import type PocketBase from 'pocketbase';
import { ClientResponseError } from 'pocketbase';
import type { Config, GitHubConfig } from '../../settings/config.ts';
import { STORE_FULL, StartError } from '../../shared/app-error.ts';
import { createIfNew, ignoreMissing, MOST_IN_A_BATCH, type StoreClient } from './client.ts';
import { recordsOf } from './records/records-of.ts';
import type { Collection, Field } from './schema/fields.ts';
import { SCHEMA, type Schema } from './schema.ts';

type MigrateConfig = Pick<Config, 'store' | 'publicUrl'>;

/**
 * Brings the record store to this schema and our settings, the embedded and an external one alike. Several processes
 * may do so at the same time: the import is one transaction with the same result each time.
 *
 * @returns Null if nothing of the schema changed.
 * @throws StartError with one sentence that names the setting to look at. If the store is newer than the schema,
 *   nothing is changed.
 */
export async function migrate(
  client: StoreClient,
  config: MigrateConfig,
  github: GitHubConfig,
  schema: Schema = SCHEMA,
): Promise<Applied | null> {
  try {
    return await applySchema(client, config, github, schema);
  } catch (error) {
    throw new StartError(
      config.store.kind === 'embedded'
        ? `The record store could not be prepared: ${(error as Error).message}`
        : `The record store at ${config.store.url} could not be prepared: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** The store's schema before, 0 if it was empty, and now. */
export type Applied = { from: number; schema: number };

/** @throws Error if the record store doesn't answer, or has no schema. */
export async function requireMigrated(client: StoreClient): Promise<void> {
  if ((await readNewestVersion(client)) === 0) throw new Error('the record store has no schema');
}

async function applySchema(
  client: StoreClient,
  config: MigrateConfig,
  github: GitHubConfig,
  { version, collections }: Schema,
): Promise<Applied | null> {
  const found = await readSchemaVersion(client);
  if (found > version) {
    throw new Error(
      `it has schema ${found}, and this version of OTP Guard only knows schemas up to ${version}. Start a newer version.`,
    );
  }
  return client.run(async (records) => {
    await records.settings.update(settingsFor(config));
    const hasChanged = await importCollections(records, collections(github));
    // PocketBase creates this collection itself, with a rule that lets anyone sign up.
    await records.collections.delete('users').catch(ignoreMissing);
    // Recorded last, so that a process that dies before this applies the schema again.
    await createIfNew(() => records.collection('schema_versions').create({ version }));
    return hasChanged || found < version ? { from: found, schema: version } : null;
  });
}

function settingsFor(config: MigrateConfig): Record<string, unknown> {
  return {
    meta: { appName: 'OTP Guard', appURL: config.publicUrl },
    batch: { enabled: true, maxRequests: MOST_IN_A_BATCH, timeout: 5 },
    logs: { maxDays: 3, minLevel: 4, logIP: false, logAuthId: false },
    // Our own proxy overwrites this header, so its rightmost entry is the client.
    trustedProxy: { headers: ['X-Forwarded-For'], useLeftmostIP: false },
    ...(config.store.kind === 'embedded' && { superuserIPs: ['127.0.0.1', '::1'] }),
  };
}

const MOST_TRIES = 5;

/**
 * If several processes import into an empty store at the same time, one wins. The others fail and try again.
 *
 * An import of everything takes the store most of a second even if it changes nothing, so collections that are all as
 * we want them stay as they are. The store doesn't show GitHub's client secret, which is with the users.
 *
 * @returns whether a collection other than the users changed.
 */
async function importCollections(records: PocketBase, [users, ...others]: Collection[]): Promise<boolean> {
  const isConflict = (error: unknown) => error instanceof ClientResponseError && error.status === 400;
  return retried(isConflict, async () => {
    const found = await records.collections.getFullList();
    const isCurrent = others.every((one) =>
      isAsWanted(
        one,
        found.find(({ id }) => id === one.id),
      ),
    );
    await records.collections.import((isCurrent ? [users] : [users, ...others]) as never, false);
    return !isCurrent;
  });
}

/** Does `work`, a few times if it fails with an error that passes. */
async function retried<T>(passes: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !passes(error)) throw error;
      await delay(100 * tries);
    }
  }
}

/**
 * The id of a field of `code_failures` in the stores of all builds before 0.1.0, whose schemas had the numbers 1 to 10 as
 * well. A store of this series never has it.
 */
const FIELD_BEFORE_0_1_0 = { collection: 'code_failures', id: 'number1948079053' };

/** Says what to do about a store or a backup that a build before 0.1.0 made. */
export const BEFORE_0_1_0 =
  'was made by a build before 0.1.0, which later versions cannot read. Start that build, or begin afresh with an empty record store: authenticators have to be registered again, and rules, approvals and the log are lost';

/**
 * The newest schema that was applied; 0 if the store is empty.
 *
 * @throws Error with a sentence if a build before 0.1.0 made the store.
 */
export async function readSchemaVersion(client: StoreClient): Promise<number> {
  const version = await readNewestVersion(client);
  if (version > 0 && (await isFromBefore(client))) throw new Error(`it ${BEFORE_0_1_0}.`);
  return version;
}

/** Tells whether a build before 0.1.0 made the store. */
export async function isFromBefore(client: StoreClient): Promise<boolean> {
  const { collection, id } = FIELD_BEFORE_0_1_0;
  const find = () => client.run((records) => records.collections.getOne(collection));
  const found = await find().catch(ignoreMissing);
  return found?.fields.some((field) => field.id === id) ?? false;
}

/** The newest schema that any build applied; 0 if the store is empty. */
export async function readNewestVersion(client: StoreClient): Promise<number> {
  const versions = recordsOf(client, 'schema_versions');
  const readNewest = () => versions.first({}, { sort: '-version' });
  const newest = await retried(isBeingMade, readNewest).catch(ignoreMissing);
  return newest?.version ?? 0;
}

/** While another process creates the collection, the store knows it and has no table for it yet. */
const isBeingMade = (error: unknown): boolean =>
  error instanceof ClientResponseError && error.status === 400 && error.url.includes('/schema_versions/');

/** Why a record store can’t be used: a sentence that names the setting to look at. */
export function reasonOf(error: unknown): string {
  const { status, message, url } = error as Error & { status?: number; url?: string };
  if (message === STORE_FULL) return message;
  if (status === 404) return 'it is not a record store. Is POCKETBASE_URL right?';
  if (status === 503) return 'it does not answer. Is POCKETBASE_URL right?';
  if (status === 401 || (status === 400 && url?.includes('/auth-with-password')))
    return 'it refused POCKETBASE_SUPERUSER_EMAIL and POCKETBASE_SUPERUSER_PASSWORD.';
  return message;
}

/**
 * Tells whether the store has this collection exactly as we want it, as an import would leave it: our rules, indexes
 * and options, and each of our fields with the store's defaults for the rest.
 *
 * @param found The collection with that id in the store, if it has one.
 */
export function isAsWanted(wanted: Collection, found: object | undefined): boolean {
  const { fields, ...rest } = wanted;
  if (!found || !contains(found, rest)) return false;
  const fieldsFound = (found as { fields: Field[] }).fields;
  return fields.every((field) => {
    const one = fieldsFound.find(({ name }) => name === field.name);
    return one !== undefined && isField(field, one);
  });
}

/** An import gives the options of a field that we don't name their defaults, which are all empty. */
const isField = (wanted: Field, stored: Field) =>
  contains(stored, wanted) &&
  Object.entries(stored).every(([option, value]) => option in wanted || option === 'id' || isEmpty(value));

const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);

/** Tells whether `found` has every member of `wanted`. Lists have the same length, and the same order. */
function contains(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(found) || found.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([key, value]) =>
    contains((found as Record<string, unknown>)[key], value),
  );
}
