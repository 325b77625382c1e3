import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked } from './folder-lock.ts';

/** The address of a product's store, the lock that the store is used under, and the product's process id for people. */
type ProcessMarker = StoreAddress & { lock: number; pid: number };

const markerPath = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Writes down how to reach the embedded store of this process, so that the
 * operator's commands can use it. The superuser's password in it gives away
 * nothing more: anyone who can read the folder can read the data itself, and
 * the password changes at each start.
 *
 * @param lock The number of the lock that this process holds.
 * @returns Removes the marker. Call it before the lock is released.
 */
export function writeProcessMarker(dataDir: string, address: StoreAddress, lock: number): () => void {
  const path = markerPath(dataDir);
  const { url, email, password } = address;
  const marker: ProcessMarker = { url, email, password, lock, pid: process.pid };
  // A file that already exists would keep its mode.
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(marker), { mode: 0o600 });
  return () => removeProcessMarker(dataDir);
}

/** Removes the marker of a product that ended. Call it only with the lock. */
export const removeProcessMarker = (dataDir: string) => rmSync(markerPath(dataDir), { force: true });

/** The product that holds the lock of this folder's store, or null if none does: it may still be starting. */
export function findProduct(dataDir: string): ProcessMarker | null {
  const marker = readMarker(markerPath(dataDir));
  return marker?.url && isLocked(dataDir, 'store', marker.lock) ? marker : null;
}

function readMarker(path: string): ProcessMarker | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessMarker;
  } catch {
    return null;
  }
}

const TIMEOUT_MS = 2_000;

/** Whether the record store at `url` says that it's healthy. False if it doesn't answer in time. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status === 200;
  } catch {
    return false;
  }
}

/** How to reach a running record store, and how its superuser signs in. */
export type StoreAddress = { url: string; email: string; password: string };

/** A process id can be reused, so it comes with the time its process started, if the system shows that. */
export type ProcessIdentity = { pid: number; began: string };

export const thisProcess = (): ProcessIdentity => ({ pid: process.pid, began: startTimeOf(process.pid) });

export function isAlive({ pid, began }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return began === startTimeOf(pid);
}

/** Field 22 of `stat` in proc(5), the time the process started. Empty on systems without it. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses, which can contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
