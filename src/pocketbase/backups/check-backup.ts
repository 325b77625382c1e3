import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { StartError } from '../../start-error.ts';
import { createStoreClient } from '../client.ts';
import { startEmbeddedStore } from '../process/start-embedded-store.ts';
import { upsertSuperuser } from '../process/superuser.ts';
import { verifyBinary } from '../process/verify-binary.ts';
import { restoreBackup } from './restore-backup.ts';

/** Enough for the directory at the end of an archive that holds the few files of a store. */
const LONGEST_DIRECTORY = 1024 * 1024;

/**
 * Checks by its first and last bytes that a file is a complete backup.
 *
 * @throws StartError if it isn't.
 */
export async function requireBackupFile(path: string): Promise<void> {
  const file = await open(path).catch(() => null);
  if (!file) throw new StartError(`${path} cannot be read.`);
  try {
    const { size } = await file.stat();
    const tail = Math.min(size, LONGEST_DIRECTORY);
    const [{ buffer: start }, { buffer: end }] = await Promise.all([
      file.read(Buffer.alloc(4), 0, 4, 0),
      file.read(Buffer.alloc(tail), 0, tail, size - tail),
    ]);
    // A truncated archive has lost the directory at its end, and another archive doesn't list the database in it.
    const isComplete = ['PK\u0005\u0006', 'data.db'].every((mark) => end.includes(mark, 0, 'latin1'));
    if (start.toString('latin1') !== 'PK\u0003\u0004' || !isComplete)
      throw new StartError(`${path} is not a backup.`);
  } finally {
    await file.close();
  }
}

/**
 * Restores the backup into a temporary record store. An archive can be complete
 * and the database in it damaged, and that must not replace a healthy store.
 *
 * @throws StartError if no record store starts from it, or none runs on this platform.
 */
export async function tryRestore(path: string, now: Date): Promise<void> {
  await verifyBinary();
  const dataDir = await mkdtemp(join(tmpdir(), 'otp-guard-restore-'));
  const death = new AbortController();
  const onDeath = () => death.abort(new Error('the record store ended'));
  try {
    const log = pino({ level: 'silent' });
    const store = await startEmbeddedStore({ dataDir, publicUrl: 'http://localhost', log, onDeath });
    try {
      await restoreBackup(createStoreClient(store), {
        path,
        now,
        upsertSuperuser: () => upsertSuperuser(dataDir, store),
        signal: death.signal,
      });
    } finally {
      await store.stop();
    }
  } catch (cause) {
    throw new StartError(`${path} is damaged: the record store does not start from it. Use another backup.`, {
      cause,
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
