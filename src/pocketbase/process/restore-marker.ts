import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, type ProcessIdentity, thisProcess } from './process-identity.ts';

const markerPath = (dataDir: string) => join(dataDir, 'restoring.json');

/**
 * Keeps the product from using its store while `restore` replaces it. The
 * marker file stays afterwards: its time shows the product that the session it
 * had at the store is no longer valid.
 */
export async function markRestore<T>(dataDir: string, restore: () => Promise<T>): Promise<T> {
  writeFileSync(markerPath(dataDir), JSON.stringify(thisProcess()), { mode: 0o600 });
  try {
    return await restore();
  } finally {
    writeFileSync(markerPath(dataDir), '{}', { mode: 0o600 });
  }
}

/** Whether a backup is being restored right now, and when the last restore began or ended (0 if never). */
export function readRestoreMarker(dataDir: string): { isRestoring: boolean; changedAt: number } {
  const path = markerPath(dataDir);
  const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const restorer = changedAt === 0 ? null : readMarker(path);
  return { isRestoring: restorer !== null && isAlive(restorer), changedAt };
}

/** Null if no process is restoring a backup. */
function readMarker(path: string): ProcessIdentity | null {
  try {
    const marker = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProcessIdentity>;
    return marker.pid === undefined ? null : { pid: marker.pid, began: marker.began ?? '' };
  } catch {
    return null;
  }
}
