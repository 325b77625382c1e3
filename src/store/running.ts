import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { isHealthy } from './healthy.ts';
import type { StoreAddress } from './process.ts';

const pathIn = (dataDir: string) => join(dataDir, 'running.json');

type Running = StoreAddress & Process;

/** An id is given to another process one day: when it began tells them apart, where the system says so. */
type Process = { pid: number; began: string };

/**
 * Notes where the embedded store of this process is, for the operator's own
 * commands beside it. Whoever can read the folder has the data itself, so the
 * superuser's password there gives nobody more; it is another one at each start.
 */
export function noteRunning(dataDir: string, address: StoreAddress): () => void {
  const path = pathIn(dataDir);
  const { url, email, password } = address;
  const note: Running = { url, email, password, ...self() };
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(note), { mode: 0o600 });
  return () => {
    if (readNote(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/** A store that is started again by its product is away for a moment. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 200;

/**
 * The store that another process has running over this folder; null where none
 * does. Waits for one whose process starts it again.
 *
 * @param patienceMs How long it waits.
 * @throws StartError where that process lives and its store does not answer.
 */
export async function findRunning(dataDir: string, patienceMs = PATIENCE_MS): Promise<StoreAddress | null> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const note = readNote(pathIn(dataDir));
    if (!note?.url || note.pid === process.pid || !isAlive(note)) return null;
    if (await isHealthy(note.url)) return note;
    if (Date.now() > deadline) {
      throw new StartError(
        `The record store of the OTP Guard that runs over ${dataDir} does not answer. Try again.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

const markIn = (dataDir: string) => join(dataDir, 'restoring.json');

/**
 * Keeps the product away from its store while that is replaced. The mark stays
 * when it is over: by its time the product knows that its session at the store
 * is of before.
 */
export async function whileRestoring<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  writeFileSync(markIn(dataDir), JSON.stringify(self()), { mode: 0o600 });
  try {
    return await work();
  } finally {
    writeFileSync(markIn(dataDir), '{}', { mode: 0o600 });
  }
}

/** Whether the store is being replaced, and when that was last. */
export function restoreState(dataDir: string): { isUnderWay: boolean; at: number } {
  const at = statSync(markIn(dataDir), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const by = at === 0 ? null : readNote(markIn(dataDir));
  return { isUnderWay: by?.pid !== undefined && isAlive(by), at };
}

const self = (): Process => ({ pid: process.pid, began: beganOf(process.pid) });

function isAlive({ pid, began }: Process): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return began === beganOf(pid);
}

/** The 22nd field of proc(5)'s `stat`: when the process began. Empty on systems without it. */
function beganOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses that can hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function readNote(path: string): Running | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Running;
  } catch {
    return null;
  }
}
