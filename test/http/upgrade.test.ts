import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { upgradeStore } from '../../src/adapters/pocketbase/backups/write-backup.ts';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { collection, text } from '../../src/adapters/pocketbase/schema/fields.ts';
import { readSchemaVersion } from '../../src/adapters/pocketbase/schema/migrate.ts';
import { SCHEMA, SCHEMA_VERSION, type Schema } from '../../src/adapters/pocketbase/schema/schema.ts';
import { openInTemporaryStore } from '../../src/cli/check-backup.ts';
import { describeBackup } from '../../src/cli/try-restore.ts';
import { silent } from '../support/empty-store.ts';
import { recordSeals } from '../support/record-seals.ts';
import {
  overStore,
  removeScratches,
  type Settings,
  scratch,
  settingsOf,
  storeApproval,
} from '../support/stored.ts';

/** A made-up next schema: approvals have another field, and there is another collection. */
const NEXT: Schema = {
  version: SCHEMA_VERSION + 1,
  collections: (github) => [
    ...SCHEMA.collections(github).map((one) =>
      one.name === 'approvals' ? { ...one, fields: [...one.fields, text('reason')] } : one,
    ),
    collection('reasons', [text('reason', { required: true })], ['UNIQUE reason']),
  ],
};

const upgrade = (config: Settings, client: StoreClient, schema?: Schema) =>
  upgradeStore(client, config, config.github, schema);
const schemaIn = (config: Settings) => overStore(config, ({ client }) => readSchemaVersion(client));
const backupsOf = (dataDir: string) => {
  const folder = join(dataDir, 'backups');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

async function drill(config: Settings, path: string): Promise<object> {
  const store = await openInTemporaryStore(config, silent, path);
  const client = createStoreClient(store.address);
  return describeBackup({ config, client, log: silent, store }).finally(store.stop);
}

afterAll(removeScratches);

describe('a store that gets the next schema', () => {
  it('is backed up first, keeps its records, and is refused by the version before', async () => {
    const dataDir = scratch();
    const config = settingsOf(dataDir);
    await overStore(config, async ({ client }) => {
      const id = await storeApproval(config, client);
      await upgrade(config, client);
      expect(backupsOf(dataDir)).toEqual([]);
      expect(await upgrade(config, client, NEXT)).toEqual({ from: SCHEMA_VERSION, schema: NEXT.version });
      expect(await upgrade(config, client, NEXT)).toBeNull();
      const approval = await client.run((records) => records.collection('approvals').getOne(id));
      expect([approval.reason, recordSeals().isOurs('approvals', approval)]).toEqual(['', true]);
      await client.run((records) => records.collection('reasons').create({ reason: 'new' }));
      await expect(upgrade(config, client)).rejects.toThrow(
        `it has schema ${NEXT.version}, and this version of OTP Guard only knows schemas up to ${SCHEMA_VERSION}. Start a newer version.`,
      );
      expect(await readSchemaVersion(client)).toBe(NEXT.version);
    });
    const [before = '', ...more] = backupsOf(dataDir);
    expect([before, more]).toEqual([expect.stringContaining('otp-guard-before-upgrade-'), []]);
    expect(await drill(config, before)).toMatchObject({ schema: SCHEMA_VERSION, approvals: 1 });
  });

  it('stays as it is if the backup fails, and goes on with BACKUP_DIR=off', async () => {
    const dataDir = scratch();
    writeFileSync(join(dataDir, 'a-file'), '');
    const config = settingsOf(dataDir, { BACKUP_DIR: join(dataDir, 'a-file', 'backups') });
    const over = (settings: Settings, schema: Schema) =>
      overStore(settings, ({ client }) => upgrade(settings, client, schema));
    await over(config, SCHEMA);
    await expect(over(config, NEXT)).rejects.toThrow(
      /^The record store has schema \d+ and needs \d+, but the backup before that failed: ENOTDIR.*\. Repair that, or set BACKUP_DIR=off once to go on without a backup\.$/,
    );
    expect(await schemaIn(config)).toBe(SCHEMA_VERSION);
    await over(settingsOf(dataDir, { BACKUP_DIR: 'off' }), NEXT);
    expect([await schemaIn(config), backupsOf(dataDir)]).toEqual([NEXT.version, []]);
  });
});
