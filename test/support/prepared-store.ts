import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PREPARED = resolve('dist-test/store');

/** Puts a record store with our collections and no record into this data folder: `scripts/prepare-store.js`. */
export function copyPreparedStore(dataDir: string): void {
  if (existsSync(PREPARED)) cpSync(PREPARED, join(dataDir, 'pocketbase'), { recursive: true });
}
