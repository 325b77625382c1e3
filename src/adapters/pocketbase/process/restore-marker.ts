import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../../../shared/app-error.ts';
import type { Row } from '../records/record-seals.ts';
import { readJson, storeFolder } from './data-folder.ts';
import { isLocked, tryLock } from './folder-lock.ts';

/** A restore that may have replaced the records, and what finishing it takes. */
export type BegunRestore = {
  /** Names the file that is in the store's data until the records are replaced. */
  id: string;
  /** When the backup's newest record was created, as an ISO date. */
  backupAt: string | null;
  /** The signing keys of the replaced store. */
  signingKeys: Row[];
};

const BEING_RESTORED = 'A backup is being restored. Run the command again when that has ended.';
const INTERRUPTED =
  'A restore was interrupted, so these records must not be used yet. Start OTP Guard (or restart it), which finishes the restore, or run otp-guard restore <file> again.';

const markerPath = (dataDir: string) => join(dataDir, 'restoring.json');
const dataPath = (dataDir: string) => join(storeFolder(dataDir), 'data');
/** PocketBase moves it away with everything else when it replaces the data. */
const waitingPath = (dataDir: string, { id }: BegunRestore) =>
  join(dataPath(dataDir), `before-restore-${id}`);

/**
 * Keeps the product from using its store while `restore` replaces it. The
 * marker file stays afterwards: its time shows the product that the session it
 * had at the store is no longer valid. A restore that fails or dies after it
 * called `begin` stays marked as begun.
 *
 * @param restore Calls `begin` immediately before it replaces the records, and `undo` if the store refuses to.
 * @throws StartError if another process is restoring a backup.
 */
export async function markRestore(
  dataDir: string,
  restore: (marks: { begin(begun: BegunRestore): void; undo(begun: BegunRestore): void }) => Promise<void>,
): Promise<void> {
  const lock = tryLock(dataDir, 'restore');
  if (!lock) throw new StartError(BEING_RESTORED);
  const earlier = readBegunRestore(dataDir);
  try {
    // The product looks for the lock once there is a marker.
    writeMarker(dataDir, earlier);
    await restore({
      begin(begun) {
        writeDurably(waitingPath(dataDir, begun), '');
        writeMarker(dataDir, begun);
      },
      undo(begun) {
        rmSync(waitingPath(dataDir, begun), { force: true });
        writeMarker(dataDir, earlier);
      },
    });
    writeMarker(dataDir, null);
  } finally {
    lock.release();
  }
}

/** Whether a backup is being restored or a restore was interrupted, and when that last changed (0 if never). */
export function readRestoreMarker(dataDir: string): { isRestoring: boolean; changedAt: number } {
  const changedAt = statSync(markerPath(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isRestoring = changedAt > 0 && (readBegunRestore(dataDir) !== null || isLocked(dataDir, 'restore'));
  return { isRestoring, changedAt };
}

/** The restore that began and hasn't finished, or null. */
export const readBegunRestore = (dataDir: string): BegunRestore | null =>
  readJson<{ begun?: BegunRestore }>(markerPath(dataDir))?.begun ?? null;

/** Whether the store has replaced its records since this restore began. Ask only while no store is starting. */
export const hasReplaced = (dataDir: string, begun: BegunRestore) => !existsSync(waitingPath(dataDir, begun));

/** Marks a begun restore as finished, or as never done. */
export function endRestore(dataDir: string, begun: BegunRestore): void {
  writeMarker(dataDir, null);
  rmSync(waitingPath(dataDir, begun), { force: true });
}

/** @throws StartError if a backup is being restored, or a restore was interrupted. */
export function requireNoRestore(dataDir: string): void {
  if (isLocked(dataDir, 'restore')) throw new StartError(BEING_RESTORED);
  if (readBegunRestore(dataDir)) throw new StartError(INTERRUPTED);
}

const writeMarker = (dataDir: string, begun: BegunRestore | null) =>
  writeDurably(markerPath(dataDir), JSON.stringify({ begun }));

/** Writes a file that only its owner can read. It's whole and on the disk when this returns, even if the power fails. */
function writeDurably(path: string, content: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
