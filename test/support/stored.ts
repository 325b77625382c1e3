import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openEncrypted } from '../../src/adapters/pocketbase/backups/age-file.ts';
import { deriveIdentity } from '../../src/adapters/pocketbase/backups/backup-identity.ts';
import { writeBackup } from '../../src/adapters/pocketbase/backups/write-backup.ts';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { migrate } from '../../src/adapters/pocketbase/migrate.ts';
import { createOrganizations } from '../../src/adapters/pocketbase/organizations/organizations.ts';
import { type Store, startStore } from '../../src/adapters/pocketbase/process/start-store.ts';
import { openInTemporaryStore } from '../../src/cli/open-in-temporary-store.ts';
import { describeBackup } from '../../src/cli/try-restore.ts';
import { type Config, type GitHubConfig, readConfig } from '../../src/settings/config.ts';
import { anImage, anInstallation } from './fakes.ts';
import {
  activityLogOf,
  copyPreparedStore,
  GITHUB,
  recordSeals,
  SECRET_KEY,
  signingKeysOf,
  silent,
} from './stores.ts';

/** The parts that a command gets. */
export type Settings = Config & { github: GitHubConfig };

export const OTHER_KEY = 'another-key-of-more-than-32-characters';
export const DAMAGE = 'this is no database '.repeat(500);

const scratches: string[] = [];

/** A new folder, until `removeScratches`. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-commands-'));
  scratches.push(folder);
  return folder;
}

/** A new folder with a prepared record store, for tests that aren't about the first start. */
export function scratchWithStore(): string {
  const folder = scratch();
  copyPreparedStore(folder);
  return folder;
}

export function removeScratches(): void {
  for (const folder of scratches.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A new file with this content. */
export function written(content: string | Buffer): string {
  const file = join(scratch(), 'some.zip');
  writeFileSync(file, content, 'latin1');
  return file;
}

export function settingsOf(dataDir: string, env: Record<string, string> = {}): Settings {
  return { ...readConfig({ DATA_DIR: dataDir, SECRET_KEY, ...env }), github: GITHUB };
}

/** Calls `work` with the store of these settings, and starts it for that if nobody runs it. */
export async function overStore<T>(
  config: Settings,
  work: (store: Store & { client: StoreClient }) => Promise<T>,
): Promise<T> {
  const store = await startStore(config, silent);
  try {
    return await work({ ...store, client: createStoreClient(store.address) });
  } finally {
    await store.stop();
  }
}

/** Backs the store of these settings up, as the command does. */
export const backUp = (config: Settings, path: string) =>
  overStore(config, ({ client }) => writeBackup({ config, client }, { path, now: new Date() }));

/** Opens a backup without touching the store, and says what it has. */
export async function drill(config: Settings, path: string): Promise<object> {
  const store = await openInTemporaryStore(config, silent, path);
  const client = createStoreClient(store.address);
  return describeBackup({ config, client, log: silent, store }).finally(store.stop);
}

/** Brings the store to our schema, with a signing key and an approval that OTP Guard wrote. Returns the approval's id. */
export async function storeApproval(config: Settings, client: StoreClient): Promise<string> {
  await migrate(client, config, config.github);
  await signingKeysOf(client).current();
  const row = { id: 'genuine00000001', repo_id: 1, pr: 2, head: 'aa'.repeat(20), method: 'totp' };
  const mac = recordSeals().macOf('approvals', row);
  await client.run((records) => records.collection('approvals').create({ ...row, mac }));
  return row.id;
}

/** An organization with one log entry, and one without any. */
export async function storeEntry(client: StoreClient): Promise<void> {
  const organizations = createOrganizations(client, activityLogOf(client));
  const org = await organizations.save(anInstallation());
  const account = { id: 10, login: 'other-org', type: 'Organization', htmlUrl: '' } as const;
  await organizations.save(anInstallation({ id: 6, account }));
  const entry = { activity: 'setOrgImage', userId: '', orgRecordId: org.id, data: {} } as const;
  await organizations.setImage(org, anImage(), entry);
}

/** A backup without its encryption, as PocketBase makes it. */
export const decrypted = async (backup: string, key = SECRET_KEY) =>
  written(await buffer(await openEncrypted(backup, [deriveIdentity(key)])));

export const databaseOf = (dataDir: string) => join(dataDir, 'pocketbase', 'data', 'data.db');
export const backupFolderOf = (dataDir: string) => join(dataDir, 'pocketbase', 'data', 'backups');
export const asideOf = (dataDir: string) =>
  readdirSync(dataDir).filter((name) => name.startsWith('pocketbase-'));
/** The folders in which backups are opened. */
export const leftIn = (dataDir: string) => readdirSync(dataDir).filter((name) => /opening/.test(name));

/** The copies that the store itself keeps. */
export function backupsIn(dataDir: string): string[] {
  const kept = backupFolderOf(dataDir);
  return existsSync(kept) ? readdirSync(kept).filter((name) => name.endsWith('.zip')) : [];
}

/** Puts garbage in the place of a stopped store's database. */
export function damage(dataDir: string): void {
  const data = join(dataDir, 'pocketbase', 'data');
  for (const name of readdirSync(data)) if (name.startsWith('data.db')) rmSync(join(data, name));
  writeFileSync(databaseOf(dataDir), DAMAGE);
}
