// Prepares a record store with our collections and no record in dist-test/store. A test that copies it starts from there,
// instead of an empty folder: importing the collections takes longer than starting the store, and a run of all tests
// starts about a hundred.
import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist-test', 'store');

/** Does nothing if the product isn't built, or hasn't changed since the last time. */
export async function prepareStore() {
  const sources = ['dist', 'package-lock.json', 'scripts/prepare-store.js'];
  const times = await Promise.all(sources.map((path) => modified(join(root, path))));
  if (times.includes(0) || (await modified(out)) > Math.max(...times)) return;
  const folder = await mkdtemp(join(tmpdir(), 'otp-guard-prepared-'));
  try {
    await fill(folder);
    const copy = `${out}.${process.pid}`;
    await cp(join(folder, 'pocketbase'), copy, { recursive: true });
    await rm(out, { recursive: true, force: true });
    await rename(copy, out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(dataDir) {
  const { startEmbeddedStore } = await import('../dist/adapters/pocketbase/process/start-store.js');
  const { createStoreClient } = await import('../dist/adapters/pocketbase/client.js');
  const { migrate } = await import('../dist/adapters/pocketbase/migrate.js');
  const publicUrl = 'http://localhost';
  const log = { info() {}, warn() {}, error() {} };
  const { stop, ...address } = await startEmbeddedStore({ dataDir, publicUrl, log });
  try {
    const client = createStoreClient(address);
    const store = { kind: 'external', ...address };
    await migrate(client, { store, publicUrl, secretKeys: ['x'.repeat(32)] }, GITHUB);
    // So a product takes it for a new store: it writes its own settings, and no record is sealed with another key.
    await client.run((records) => records.collections.truncate('schema_versions'));
    await client.run(makePasswordsCheap);
  } finally {
    await stop();
  }
}

/**
 * Nobody guesses passwords in a test. At PocketBase's own cost, hashing takes a tenth of a second each time a store
 * starts, its superuser signs in, or a person signs in first.
 */
async function makePasswordsCheap(records) {
  for (const name of ['_superusers', 'gh_users']) {
    const { id, fields } = await records.collections.getOne(name);
    const cheaper = fields.map((field) => (field.type === 'password' ? { ...field, cost: 4 } : field));
    await records.collections.update(id, { fields: cheaper });
  }
}

const GITHUB = {
  clientId: 'client',
  clientSecret: 'secret',
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
};

async function modified(path) {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}
