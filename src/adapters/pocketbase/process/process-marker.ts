import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../../shared/app-error.ts';

type ProcessMarker = StoreAddress & ProcessIdentity;

/** The wait for a product that restarts its store. */
const PATIENCE_MS = 5_000;
const POLL_EVERY_MS = 200;

const markerPath = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Writes down how to reach the embedded store of this process, so that the
 * operator's commands can use it. The superuser's password in it gives away
 * nothing more: anyone who can read the folder can read the data itself, and
 * the password changes at each start.
 *
 * @returns Removes the marker.
 */
export function writeProcessMarker(dataDir: string, address: StoreAddress): () => void {
  const path = markerPath(dataDir);
  const { url, email, password } = address;
  const marker: ProcessMarker = { url, email, password, ...thisProcess() };
  // A file that already exists would keep its mode.
  rmSync(path, { force: true });
  writeFileSync(path, JSON.stringify(marker), { mode: 0o600 });
  return () => {
    if (readMarker(path)?.pid === process.pid) rmSync(path, { force: true });
  };
}

/**
 * The store that another process runs over this folder, or null. If that
 * process is restarting its store, this waits for it.
 *
 * @param patienceMs How long to wait.
 * @throws StartError if the process is alive and its store doesn't answer.
 */
export async function findRunningStore(
  dataDir: string,
  patienceMs = PATIENCE_MS,
): Promise<StoreAddress | null> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const marker = readMarker(markerPath(dataDir));
    if (!marker?.url || marker.pid === process.pid || !isAlive(marker)) return null;
    if (await isHealthy(marker.url)) return marker;
    if (performance.now() > deadline) {
      throw new StartError(
        `Another OTP Guard is running over ${dataDir}, but its record store does not answer. Try again.`,
      );
    }
    await delay(POLL_EVERY_MS);
  }
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
