import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedStore } from '../../../shared/app-error.ts';

/** The folder of the embedded store's data, hooks, pages and migrations. */
export const storeFolder = (dataDir: string) => join(dataDir, 'pocketbase');

/** Where PocketBase moves a store's files while it restores a backup. It deletes them when it starts. */
const MOVED = '.pb_temp_to_delete';

/** The folder of its hooks, which no backup contains. */
export const hooksFolder = (dataDir: string) => join(storeFolder(dataDir), 'hooks');

/** The JSON in a file; null if there is no file, or no whole JSON in it. */
export function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return null;
  }
}

/** Renames the store's folder, so that the next start begins with an empty store. Returns the new name. */
export function setStoreAside(dataDir: string, now: Date): string {
  const aside = join(dataDir, `pocketbase-${now.toISOString().replace(/[^0-9]/g, '')}`);
  renameSync(storeFolder(dataDir), aside);
  return aside;
}

/**
 * The flags that make PocketBase work in `dataDir` and nowhere else. Creates
 * the folders.
 *
 * @throws Error with one sentence if they can't be created.
 */
export function folderFlags(dataDir: string): string[] {
  const [data, hooks, pages, migrations] = createFolders(dataDir, ['data', 'hooks', 'public', 'migrations']);
  return [
    `--dir=${data}`,
    `--hooksDir=${hooks}`,
    `--publicDir=${pages}`,
    `--migrationsDir=${migrations}`,
    // Under a temporary folder PocketBase believes it's a development build, and prints every SQL value.
    '--dev=false',
    '--automigrate=false',
    '--hooksWatch=false',
    // PocketBase would prepare 15 machines for hooks; ours runs once.
    '--hooksPool=1',
  ];
}

/**
 * PocketBase takes an empty file for a new store, and would silently forget
 * everything.
 *
 * @throws DamagedStore if the store's main file is empty, or gone while its companion or what a restore moved is there.
 */
export function requireIntactData(dataDir: string): void {
  const sizeOf = (name: string) =>
    statSync(join(storeFolder(dataDir), 'data', name), { throwIfNoEntry: false })?.size;
  const size = sizeOf('data.db');
  const isGone = size === undefined && ['auxiliary.db', MOVED].some((name) => sizeOf(name) !== undefined);
  if (size !== 0 && !isGone) return;
  throw new DamagedStore(
    `The record store in ${dataDir} has lost its data: data.db is ${isGone ? 'missing' : 'empty'}. Restore a backup: otp-guard restore <file>`,
  );
}

function createFolders(dataDir: string, names: string[]): string[] {
  try {
    return names.map((name) => {
      const folder = join(storeFolder(dataDir), name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    });
  } catch (error) {
    throw new Error(`The record store cannot use ${dataDir}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
