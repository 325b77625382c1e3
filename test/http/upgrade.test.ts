import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { countLog, describeBackup, openInTemporaryStore } from '../../src/cli/try-restore.ts';
import { createStoreClient } from '../../src/pocketbase/client.ts';
import { readSchemaVersion } from '../../src/pocketbase/schema/migrate.ts';
import { SCHEMA_VERSION } from '../../src/pocketbase/schema/schema.ts';
import { readConfig } from '../../src/settings/config.ts';
import { signingKeysOf } from '../support/activity-log.ts';
import { APP_KEY } from '../support/app-key.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { startLocalGitHub, startLog, startProduct } from '../support/built.ts';
import { SECRET_KEY, silent } from '../support/empty-store.ts';
import { FIXTURE_CREDENTIAL, fixtureKeys } from '../support/fixture-passkey.ts';
import {
  approvalOptions,
  clientOf,
  freePort,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import { overStore, removeScratches, scratch } from '../support/stored.ts';

const STORES = resolve('fixtures/stores');
const SCHEMAS = readdirSync(STORES)
  .flatMap((name) => /^schema-(\d+)$/.exec(name)?.[1] ?? [])
  .sort((one, other) => Number(one) - Number(other));
/** The oldest has every step of an upgrade before it, the newest that is upgraded at all only the last. */
const OLDER = SCHEMAS.filter((schema) => Number(schema) < SCHEMA_VERSION);
const STORIES = process.env.SOAK ? SCHEMAS : [OLDER[0] ?? '', OLDER.at(-1) ?? ''];

let port: number;
let github: LocalGitHub;
let client: ReturnType<typeof clientOf>;

beforeAll(async () => {
  port = await freePort();
  github = await startLocalGitHub({
    privateKey: APP_KEY,
    port: 0,
    publicUrl: `http://localhost:${port}`,
  });
  client = clientOf({ origin: `http://localhost:${port}`, github });
});
afterAll(async () => {
  await github?.close();
  removeScratches();
});

/** A copy of the data folder that a version with this schema left. */
function folderOf(schema: string): string {
  const [dataDir, from] = [scratch(), join(STORES, `schema-${schema}`)];
  const data = join(dataDir, 'pocketbase', 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, 'data.db'), gunzipSync(readFileSync(join(from, 'data.db.gz'))));
  const marker = join(from, 'records-sealed.json');
  if (existsSync(marker)) cpSync(marker, join(dataDir, 'records-sealed.json'));
  return dataDir;
}

function configOf(dataDir: string, env: Record<string, string> = {}) {
  const settings = { PORT: String(port), HOST: 'localhost', DATA_DIR: dataDir, SECRET_KEY };
  const config = readConfig({ ...github.env, ...settings, ...env });
  if (!config.github) throw new Error('the local GitHub has no App');
  return { ...config, github: config.github };
}

/** Starts the product over this folder. */
async function over(
  config: ReturnType<typeof configOf>,
  work: (world: TestProduct) => Promise<void>,
  log = silent,
) {
  const product = await startProduct(config, { log, dashboardDir: resolve('dist/web') });
  const world = { ...client, github, dataDir: '', log: [], stop: product.stop };
  await product.firstRound.then(() => work(world)).finally(product.stop);
}

const schemaIn = (config: ReturnType<typeof configOf>) =>
  overStore(config, ({ client }) => readSchemaVersion(client));
const backupsOf = (dataDir: string) => {
  const folder = join(dataDir, 'backups');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

async function drill(config: ReturnType<typeof configOf>, path: string, sealRecords: boolean) {
  const store = await openInTemporaryStore(config, silent, { path, sealRecords });
  const client = createStoreClient(store.address);
  return describeBackup({ config, client, log: silent, store }).finally(store.stop);
}

describe.each(STORIES)('a data folder with schema %s', (schema) => {
  const isOlder = Number(schema) < SCHEMA_VERSION;

  it('is upgraded: an old passkey signs in and approves, the log verifies, and a backup was made before', async () => {
    const dataDir = folderOf(schema);
    const config = configOf(dataDir);
    await over(config, async (world) => {
      const mona = await world.signIn('mona');
      const passkey = new SoftwareAuthenticator(world.origin, FIXTURE_CREDENTIAL, 'ES256', fixtureKeys());
      const pull = await world.pendingPull(`After the upgrade of schema ${schema}`);
      const params = targetOf(world, pull);
      const { options } = await approvalOptions(world, mona, params);
      const authResponse = passkey.get(options, { counter: 100 });
      const body = { params, authResponse, accessToken: mona.accessToken };
      const answer = await world.call('/github-check-webauthn', body, mona);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      await until('the green check', async () =>
        (await world.runs(pull.head.sha)).some(({ conclusion }) => conclusion === 'success'),
      );
    });
    const before = backupsOf(dataDir);
    expect(before.map((path) => /otp-guard-before-upgrade-/.test(path))).toEqual(isOlder ? [true] : []);
    // The log begins with schema 7, and the approval after the upgrade is in it.
    const entries = await overStore(config, ({ client }) => countLog(client, signingKeysOf(client)));
    expect(entries).toBeGreaterThan(Number(schema) < 7 ? 0 : 2);
    if (schema !== SCHEMAS[0]) return;
    expect(await drill(config, before[0] ?? '', true)).toMatchObject({
      ...{ schema: Number(schema), people: 1, passkeysAndKeys: 1, approvals: 1 },
    });
  });
});

describe('an upgrade', () => {
  const start = (config: ReturnType<typeof configOf>) => over(config, async () => undefined);

  it('is refused if the backup before it fails, changes nothing then, and goes on with AUTO_BACKUPS=off', async () => {
    const dataDir = folderOf('7');
    writeFileSync(join(dataDir, 'a-file'), '');
    const config = configOf(dataDir, { BACKUP_DIR: join(dataDir, 'a-file', 'backups') });
    await expect(start(config)).rejects.toThrow(
      /^The record store has schema 7 and needs \d+, but the backup before that failed: ENOTDIR.*\. Repair that, or set AUTO_BACKUPS=off once to go on without a backup\.$/,
    );
    expect(await schemaIn(config)).toBe(7);
    await start(configOf(dataDir, { AUTO_BACKUPS: 'off' }));
    expect([await schemaIn(config), backupsOf(dataDir)]).toEqual([SCHEMA_VERSION, []]);
  });

  it('logs once which build applied the schema', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = await startLog((line) => lines.push(JSON.parse(line)));
    const config = configOf(folderOf(OLDER.at(-1) ?? ''), { AUTO_BACKUPS: 'off' });
    await over(config, async () => undefined, log);
    await over(config, async () => undefined, log);
    const [{ version, commit } = {}] = lines.filter(({ event }) => event === 'starting');
    const applied = { from: SCHEMA_VERSION - 1, schema: SCHEMA_VERSION, version, commit };
    expect(lines.filter(({ event }) => event === 'schema_applied')).toEqual([
      expect.objectContaining(applied),
    ]);
  });

  it('isn’t undone: a version refuses a newer store', async () => {
    const config = configOf(folderOf(String(SCHEMAS.at(-1))));
    await overStore(config, ({ client }) =>
      client.run((records) => records.collection('schema_versions').create({ version: SCHEMA_VERSION + 1 })),
    );
    await expect(start(config)).rejects.toThrow(
      `it has schema ${SCHEMA_VERSION + 1}, and this version of OTP Guard only knows schemas up to ${SCHEMA_VERSION}. Start a newer version.`,
    );
  });
});
