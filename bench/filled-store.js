// A record store that benchmarks fill with a large and a small organization, to compare the two in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createStoreClient } from '../dist/pocketbase/client.js';
import { runStoreCommand } from '../dist/pocketbase/process/run-store-command.js';
import { startEmbeddedStore } from '../dist/pocketbase/process/start-embedded-store.js';
import { migrate } from '../dist/pocketbase/schema/migrate.js';

export const PUBLIC_URL = 'http://localhost:3000';
export const LARGE = { id: 'org000000000001', orgId: 1 };
export const SMALL = { id: 'org000000000002', orgId: 2 };

/**
 * `fill` is called with a client of the store that has both organizations, and a folder for files. It answers the
 * commands that fill the store, each with a `script` and its `input`. Then `measure` is called with a client.
 */
export async function withFilledStore({ fill, measure }) {
  const log = pino({ level: 'silent' });
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-bench-'));
  const start = () => startEmbeddedStore({ dataDir, publicUrl: PUBLIC_URL, log });
  let store;
  try {
    const startedAt = performance.now();
    store = await start();
    const client = createStoreClient(store);
    await createOrganizations(client, dataDir);
    const commands = await fill(client, dataDir);
    await store.stop();
    for (const command of commands) await runStoreCommand(dataDir, { name: 'fill', ...command });
    store = await start();
    console.log(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
    await measure(createStoreClient(store));
  } finally {
    await store?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function createOrganizations(client, dataDir) {
  const github = { clientId: 'x', clientSecret: 'x', serverUrl: PUBLIC_URL, apiUrl: PUBLIC_URL };
  const store = { kind: 'embedded', dataDir };
  await migrate(client, { store, publicUrl: PUBLIC_URL, secretKeys: [] }, github);
  await client.run(async (records) => {
    for (const { id, orgId } of [LARGE, SMALL])
      await records
        .collection('organizations')
        .create({ id, org_id: orgId, name: `org-${orgId}`, installation_id: orgId });
  });
}

/** The record store as a person reads it. */
export async function asPerson(client, userId) {
  const person = await client.run((records) => records.collection('gh_users').impersonate(userId, 3600));
  person.autoCancellation(false);
  return person;
}
