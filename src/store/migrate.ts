import type PocketBase from 'pocketbase';
import { ClientResponseError } from 'pocketbase';
import type { Config, GitHubConfig } from '../config.ts';
import { ignoreMissing, isDuplicate, isMissing, type StoreClient } from './client.ts';
import { collections, SCHEMA_VERSION } from './schema.ts';

/**
 * Brings the record store to this code's schema and settings, the same way for
 * the embedded and for an external store. Several processes may do so at the
 * same time: the import is one transaction and comes out the same.
 *
 * @throws Error where the store is newer than this code; nothing is changed then.
 */
export async function migrate(
  client: StoreClient,
  config: Pick<Config, 'store' | 'publicUrl'>,
  github: GitHubConfig,
): Promise<void> {
  const found = await storedVersion(client);
  if (found > SCHEMA_VERSION) {
    throw new Error(
      `The record store has schema ${found}, and this version of OTP Guard knows ${SCHEMA_VERSION}. Start a newer version.`,
    );
  }
  await client.run(async (records) => {
    await records.settings.update({
      meta: { appName: 'OTP Guard', appURL: config.publicUrl },
      batch: { enabled: true, maxRequests: 50, timeout: 5 },
      logs: { maxDays: 3, minLevel: 4, logIP: false, logAuthId: false },
      // Our own proxy overwrites this header; the rightmost entry is the client.
      trustedProxy: { headers: ['X-Forwarded-For'], useLeftmostIP: false },
      ...(config.store.kind === 'embedded' && { superuserIPs: ['127.0.0.1', '::1'] }),
    });
    if (found === 1) await forgetMemberships(records);
    await importCollections(records, github);
    // PocketBase makes this one for itself, with a rule that lets anyone sign up.
    await records.collections.delete('users').catch(ignoreMissing);
    await records
      .collection('schema_versions')
      .create({ version: SCHEMA_VERSION })
      .catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
  });
}

/**
 * Schema 2 keeps GitHub's members by their id, which the memberships of schema 1
 * do not hold. They are GitHub's to begin with: its lists are read at the start.
 */
async function forgetMemberships(records: PocketBase): Promise<void> {
  await records.collections.truncate('org_members').catch(ignoreMissing);
}

const MOST_IMPORTS = 5;

/** Of several first imports at the same moment one wins and the others fail; the next try finds what it left. */
async function importCollections(records: PocketBase, github: GitHubConfig): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await records.collections.import(collections(github) as never, false);
      return;
    } catch (error) {
      if (tries === MOST_IMPORTS || !(error instanceof ClientResponseError) || error.status !== 400)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * tries));
    }
  }
}

async function storedVersion(client: StoreClient): Promise<number> {
  try {
    const newest = await client.run((records) =>
      records
        .collection('schema_versions')
        .getList<{ version: number }>(1, 1, { sort: '-version', skipTotal: true }),
    );
    return newest.items[0]?.version ?? 0;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
