import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '../../../shared/app-error.ts';
import type { Row } from '../records/record-seals.ts';
import { storeFolder } from './data-folder.ts';
import { tryLock } from './folder-lock.ts';
import { isAlive, type ProcessIdentity, thisProcess } from './process-marker.ts';

/** A restore that may have replaced the records, and what finishing it takes. */
export type BegunRestore = {
  /** Names the file that is in the store's data until the records are replaced. */
  id: string;
  /** When the backup's newest record was created, as an ISO date. */
  backupAt: string | null;
  /** The signing keys of the replaced store. */
  signingKeys: Row[];
};

/** The content of the marker file: the process that restores, if one does, and the unfinished restore. */
type Marker = Partial<ProcessIdentity> & { begun?: BegunRestore };

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
export async function markRestore<T>(
  dataDir: string,
  restore: (marks: { begin(begun: BegunRestore): void; undo(): void }) => Promise<T>,
): Promise<T> {
  const lock = tryLock(dataDir, 'restore');
  if (!lock) throw new StartError(BEING_RESTORED);
  const earlier = readMarker(dataDir).begun;
  let left = earlier;
  const mark = (begun: BegunRestore | undefined) => {
    left = begun;
    writeMarker(dataDir, { ...thisProcess(), ...(begun && { begun }) });
  };
  mark(earlier);
  try {
    const result = await restore({
      begin(begun) {
        writeDurably(waitingPath(dataDir, begun), '');
        mark(begun);
      },
      undo() {
        if (left) rmSync(waitingPath(dataDir, left), { force: true });
        mark(earlier);
      },
    });
    left = undefined;
    return result;
  } finally {
    writeMarker(dataDir, left ? { begun: left } : {});
    lock.release();
  }
}

/** Whether a backup is being restored or a restore was interrupted, and when that last changed (0 if never). */
export function readRestoreMarker(dataDir: string): { isRestoring: boolean; changedAt: number } {
  const changedAt = statSync(markerPath(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const marker = changedAt === 0 ? {} : readMarker(dataDir);
  return { isRestoring: marker.begun !== undefined || isRestoredBySomebody(marker), changedAt };
}

/** The restore that began and hasn't finished, or null. */
export const readBegunRestore = (dataDir: string): BegunRestore | null => readMarker(dataDir).begun ?? null;

/** Whether the store has replaced its records since this restore began. Ask only while no store is starting. */
export const hasReplaced = (dataDir: string, begun: BegunRestore) => !existsSync(waitingPath(dataDir, begun));

/** Marks a begun restore as finished, or as never done. */
export function endRestore(dataDir: string, begun: BegunRestore): void {
  writeMarker(dataDir, {});
  rmSync(waitingPath(dataDir, begun), { force: true });
}

/** @throws StartError if a backup is being restored, or a restore was interrupted. */
export function requireNoRestore(dataDir: string): void {
  const marker = readMarker(dataDir);
  if (isRestoredBySomebody(marker)) throw new StartError(BEING_RESTORED);
  if (marker.begun) throw new StartError(INTERRUPTED);
}

const isRestoredBySomebody = ({ pid, began = '' }: Marker) => pid !== undefined && isAlive({ pid, began });

function readMarker(dataDir: string): Marker {
  try {
    return JSON.parse(readFileSync(markerPath(dataDir), 'utf8')) as Marker;
  } catch {
    return {};
  }
}

const writeMarker = (dataDir: string, marker: Marker) =>
  writeDurably(markerPath(dataDir), JSON.stringify(marker));

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
