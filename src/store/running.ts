import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreAddress } from './process.ts';

const pathIn = (dataDir: string) => join(dataDir, 'running.json');

type Running = StoreAddress & { pid: number };

/**
 * Notes where the embedded store of this process is, for the operator's own
 * commands beside it. Whoever can read the folder has the data itself, so the
 * superuser's password there gives nobody more; it is another one at each start.
 */
export function noteRunning(dataDir: string, address: StoreAddress): () => void {
  const path = pathIn(dataDir);
  const { url, email, password } = address;
  const note: Running = { url, email, password, pid: process.pid };
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
 * answers. Waits for one whose process lives and starts it again.
 */
export async function findRunning(dataDir: string): Promise<StoreAddress | null> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const note = readNote(pathIn(dataDir));
    if (!note || note.pid === process.pid || !isAlive(note.pid)) return null;
    const answer = await fetch(`${note.url}/api/health`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    );
    if (answer?.ok) return note;
    // An id can be another process's by now: then nothing ever answers.
    if (Date.now() > deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readNote(path: string): Running | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Running;
  } catch {
    return null;
  }
}
