import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../../shared/app-error.ts';

/** A lock that this process holds. A child process that inherits `pipe` holds it too, until it ends. */
export type FolderLock = { name: string; pipe: number; release(): void };

/** What is locked: the record store itself, or the right to replace its records. */
type Subject = 'store' | 'restore';

/**
 * Takes the lock on this in the folder, or returns null if a process holds it.
 *
 * A lock is a named pipe that its holder has open for reading. The system closes the pipe when the holder dies, and
 * tells every other process on the machine, in other containers too, whether a reader is left; process ids can't tell
 * that. Each process opens a pipe of its own before it looks at the others. So of two at the same moment, at least one
 * sees the other and gives up.
 *
 * @throws StartError if the folder can't be written.
 */
export function tryLock(folder: string, subject: Subject): FolderLock | null {
  if (isLocked(folder, subject)) return null;
  const name = `${subject}-${randomUUID()}.lock`;
  const path = join(folder, name);
  const pipe = openPipe(folder, path);
  if (pipe === null) return null;
  const release = () => {
    rmSync(path, { force: true });
    closeSync(pipe);
  };
  const others = locksIn(folder, subject).filter((one) => one !== path);
  // A holder that has released the lock since may have removed this pipe before it was open.
  if (others.some(isOpen) || !existsSync(path)) {
    release();
    return null;
  }
  // Their holders died.
  for (const other of others) rmSync(other, { force: true });
  return { name, pipe, release };
}

/** Tells whether a process holds a lock on this subject in the folder. */
export const isLocked = (folder: string, subject: string): boolean => locksIn(folder, subject).some(isOpen);

const locksIn = (folder: string, subject: string) =>
  readdirSync(folder)
    .filter((name) => name.startsWith(subject) && name.endsWith('.lock'))
    .map((name) => join(folder, name));

/** Null if a process that just took the lock removed the pipe, which wasn't open yet. */
function openPipe(folder: string, path: string): number | null {
  try {
    // Node can't create one. Ctrl-C is for us alone. Without an environment, because ours contains secrets. With `-m`
    // mkfifo changes the mode in a second step, which fails if the pipe was removed before.
    execFileSync('/bin/sh', ['-c', 'trap "" INT; umask 177; mkfifo "$1"', 'sh', path], {
      env: {},
      stdio: 'ignore',
    });
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code = 'mkfifo failed', syscall } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && syscall === 'open') return null;
    throw new StartError(`DATA_DIR: ${folder} can't be locked (${code}). Is its disk full or read-only?`);
  }
}

/** Tells whether a process has the pipe open for reading. */
function isOpen(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // ENXIO: nobody reads from it.
    if (['ENXIO', 'ENOENT'].includes(code)) return false;
    throw new StartError(`DATA_DIR: ${path} can't be opened (${code}). Run this as the user of OTP Guard.`);
  }
}
