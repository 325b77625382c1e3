import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from './data-folder.ts';
import { isLocked } from './folder-lock.ts';

/** The address of a product's store, the name of the lock that the product holds, and its process id for people. */
type ProcessMarker = StoreAddress & { lock: string; pid: number };

const markerPath = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Writes down how to reach the embedded store of this process, so that the
 * operator's commands can use it. The superuser's password in it gives away
 * nothing more: anyone who can read the folder can read the data itself, and
 * the password changes at each start.
 *
 * @param lock The name of the lock that this process holds. Remove the marker before you release the lock.
 */
export function writeProcessMarker(dataDir: string, address: StoreAddress, lock: string): void {
  const path = markerPath(dataDir);
  const { url, email, password } = address;
  const marker: ProcessMarker = { url, email, password, lock, pid: process.pid };
  // A file that already exists would keep its mode.
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(marker), { mode: 0o600 });
}

/** Removes the marker of a product that ended. Call it only with the lock. */
export const removeProcessMarker = (dataDir: string) => rmSync(markerPath(dataDir), { force: true });

/** The product that holds the lock of this folder's store, or null if none does: it may still be starting. */
export function findProduct(dataDir: string): ProcessMarker | null {
  const marker = readJson<ProcessMarker>(markerPath(dataDir));
  return marker?.lock && isLocked(dataDir, marker.lock) ? marker : null;
}

const TIMEOUT_MS = 2_000;

/** Tells whether the record store at `url` says that it's healthy. False if it doesn't answer in time. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status === 200;
  } catch {
    return false;
  }
}

/** The address of a running record store, and what its superuser signs in with. */
export type StoreAddress = { url: string; email: string; password: string };
