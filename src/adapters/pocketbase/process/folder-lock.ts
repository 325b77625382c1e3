import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../../shared/app-error.ts';

/** A lock that this process holds. A child process that inherits `pipe` holds it too, until it ends. */
export type FolderLock = { number: number; pipe: number; release(): void };

/** What is locked: the record store itself, or the right to replace its records. */
type Name = 'store' | 'restore';

/**
 * Takes the lock of this name in the folder, or returns null if a process holds it.
 *
 * A lock is a named pipe that its holder has open for reading. The system closes the pipe when the holder dies, and
 * tells every other process on the machine, in other containers too, whether a reader is left; process ids can't tell
 * that. Locks have growing numbers, and the highest one counts. So two processes that find the same dead lock create
 * the same next one, and only one of them succeeds.
 *
 * @throws StartError if the folder can't be written.
 */
export function tryLock(dataDir: string, name: Name): FolderLock | null {
  const newest = newestOf(dataDir, name);
  if (isOpen(pathOf(dataDir, name, newest))) return null;
  const number = newest + 1;
  const path = pathOf(dataDir, name, number);
  const pipe = createPipe(dataDir, path);
  if (pipe === null) return null;
  // The lock that was read may have been replaced several times since.
  if (newestOf(dataDir, name) !== number) {
    closeSync(pipe);
    rmSync(path, { force: true });
    return null;
  }
  for (const older of numbersOf(dataDir, name).filter((one) => one < number))
    rmSync(pathOf(dataDir, name, older), { force: true });
  return { number, pipe, release: () => release(path, pipe) };
}

/** Its number stays in the folder, because the next lock gets the next one. A plain file can be copied, a pipe can't. */
function release(path: string, pipe: number): void {
  try {
    writeFileSync(`${path}.free`, '', { mode: 0o600 });
    renameSync(`${path}.free`, path);
  } catch {
    // On a full disk the pipe stays, without a reader.
  }
  closeSync(pipe);
}

/** Whether a process holds the lock of this name that has this number. */
export const isLocked = (dataDir: string, name: Name, number: number): boolean =>
  newestOf(dataDir, name) === number && isOpen(pathOf(dataDir, name, number));

const pathOf = (dataDir: string, name: Name, number: number) => join(dataDir, `${name}-${number}.lock`);

const newestOf = (dataDir: string, name: Name) => Math.max(0, ...numbersOf(dataDir, name));

function numbersOf(dataDir: string, name: Name): number[] {
  const pattern = new RegExp(`^${name}-(\\d+)\\.lock$`);
  return readdirSync(dataDir).flatMap((file) => pattern.exec(file)?.slice(1).map(Number) ?? []);
}

/** Creates the pipe at this path, open from the first moment that others see it. Null if another process was faster. */
function createPipe(dataDir: string, path: string): number | null {
  try {
    const folder = mkdtempSync(join(dataDir, '.lock-'));
    try {
      const made = join(folder, 'pipe');
      // Node can't create one. Without an environment, because ours contains secrets.
      execFileSync('/bin/sh', ['-c', 'mkfifo -m 600 "$1"', 'sh', made], { env: {}, stdio: 'ignore' });
      const pipe = openSync(made, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        linkSync(made, path);
        return pipe;
      } catch (error) {
        closeSync(pipe);
        throw error;
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch (error) {
    const { code = 'mkfifo failed' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return null;
    throw new StartError(`DATA_DIR: ${dataDir} can't be locked (${code}). Is its disk full or read-only?`);
  }
}

/** Whether this is a pipe, and a process has it open for reading. */
function isOpen(path: string): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const isPipe = fstatSync(file).isFIFO();
    closeSync(file);
    return isPipe;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // ENXIO: nobody reads from it.
    if (['ENXIO', 'ENOENT'].includes(code)) return false;
    throw new StartError(`DATA_DIR: ${path} can't be opened (${code}). Run this as the user of OTP Guard.`);
  }
}
