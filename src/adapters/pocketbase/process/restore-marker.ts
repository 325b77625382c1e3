import { closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../../shared/app-error.ts';
import type { Row } from '../records/record-seals.ts';
import { readJson } from './data-folder.ts';
import { isLocked, tryLock } from './folder-lock.ts';

/** A restore that may have replaced the records. */
export type BegunRestore = {
  /** The records that replace the others are marked with it. */
  id: string;
  /** The signing keys of the replaced store, for another restore if that store lost its files. */
  signingKeys: Row[];
};

const BEING_RESTORED = 'A backup is being restored. Run the command again when that has ended.';
const INTERRUPTED =
  'A restore was interrupted, so these records must not be used yet. Start OTP Guard (or restart it), which says whether the records were replaced, or run otp-guard restore <file> again.';

const markerPath = (dataDir: string) => join(dataDir, 'restoring.json');

/** `earlier` is a restore that was interrupted. */
export type RestoreMarks = { earlier: BegunRestore | null; begin(begun: BegunRestore): void; undo(): void };

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
  restore: (marks: RestoreMarks) => Promise<void>,
): Promise<void> {
  const lock = tryLock(dataDir, 'restore');
  if (!lock) throw new StartError(BEING_RESTORED);
  const earlier = readBegunRestore(dataDir);
  try {
    // The product looks for the lock once there is a marker.
    writeMarker(dataDir, earlier);
    await restore({
      earlier,
      begin: (begun) => writeMarker(dataDir, begun),
      undo: () => writeMarker(dataDir, earlier),
    });
    endRestore(dataDir);
  } finally {
    lock.release();
  }
}

/** Reads whether a backup is being restored or a restore was interrupted, and when that last changed (0 if never). */
export function readRestoreMarker(dataDir: string): { isRestoring: boolean; changedAt: number } {
  const changedAt = statSync(markerPath(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const isRestoring = changedAt > 0 && (readBegunRestore(dataDir) !== null || isLocked(dataDir, 'restore'));
  return { isRestoring, changedAt };
}

/** The restore that began and hasn't finished, or null. */
export const readBegunRestore = (dataDir: string): BegunRestore | null =>
  readJson<{ begun?: BegunRestore }>(markerPath(dataDir))?.begun ?? null;

/** Marks a begun restore as finished, or as never done. */
export const endRestore = (dataDir: string) => writeMarker(dataDir, null);

/** @throws StartError if a backup is being restored, or a restore was interrupted. */
export function requireNoRestore(dataDir: string): void {
  if (isLocked(dataDir, 'restore')) throw new StartError(BEING_RESTORED);
  if (readBegunRestore(dataDir)) throw new StartError(INTERRUPTED);
}

/** Only its owner can read the marker. It's whole and on the disk when this returns, even if the power fails. */
function writeMarker(dataDir: string, begun: BegunRestore | null): void {
  const path = markerPath(dataDir);
  const draft = `${path}.new`;
  writeFileSync(draft, JSON.stringify({ begun }), { mode: 0o600, flush: true });
  renameSync(draft, path);
  const folder = openSync(dataDir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
