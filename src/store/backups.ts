import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pino from 'pino';
import type PocketBase from 'pocketbase';
import { StartError } from '../start-error.ts';
import { createStoreClient, ignoreMissing, isDuplicate, type StoreClient } from './client.ts';
import { isHealthy } from './healthy.ts';
import { letSuperuserIn, startEmbeddedStore } from './process.ts';

const nameAt = (now: Date) => `otp_guard_${now.toISOString().replace(/[^0-9]/g, '')}.zip`;

/**
 * Writes a copy of the record store, as it is at one moment, to `path`; readable
 * to its owner alone. The store goes on working meanwhile.
 *
 * @returns How many bytes it has.
 * @throws StartError where there is a file already, or none can be written.
 */
export async function backUp(client: StoreClient, path: string, now: Date): Promise<number> {
  const name = nameAt(now);
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  if (await exists(path)) throw new StartError(`${path} is there already. Name another file.`);
  return client.run(async (records) => {
    await records.backups.create(name);
    try {
      const token = await records.files.getToken();
      const answer = await fetch(records.backups.getDownloadURL(token, name));
      if (!answer.ok || !answer.body) throw new Error(`the record store answered ${answer.status}`);
      await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(part, { mode: 0o600 }));
      await rename(part, path);
      return (await stat(path)).size;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      await records.backups.delete(name).catch(ignoreMissing);
    }
  });
}

/**
 * Puts a copy in the place of what the record store holds now.
 *
 * @param afterwards Lets our superuser in again: the copy brings back those of its own time.
 * @param signal Ends the wait for the store.
 * @throws StartError where the file is no copy, or the store does not take it; it is as it was then.
 */
export async function restore(
  client: StoreClient,
  input: { path: string; now: Date; afterwards(): Promise<void>; signal?: AbortSignal },
): Promise<void> {
  const name = nameAt(input.now);
  await client.run(async (records) => {
    const file = new File([await readFile(input.path)], name, { type: 'application/zip' });
    await records.backups.upload({ file });
    await records.backups.restore(name).catch((error: unknown) => {
      // It starts itself anew in the middle of the answer.
      if ((error as { status?: number }).status !== 0) throw error;
    });
  });
  await restarted(client.url, input.signal);
  await input.afterwards();
  await client.run((records) => records.backups.delete(name).catch(ignoreMissing));
}

/** Every second of this, a code that was used before may look unused: none is taken for as long. */
const STEPS_REFUSED = 2;
const STEP_S = 30;

/**
 * What was used up since the copy was made looks unused again: so every session
 * and everything that was under way ends, and no one-time code that could have
 * been used already is taken.
 */
export async function beginAnew(client: StoreClient, now: Date): Promise<void> {
  await client.run(async (records) => {
    await records.collections.truncate('challenges');
    await records.collections.truncate('email_codes');
    for (const { id } of await all(records, 'gh_users'))
      await records.collection('gh_users').update(id, { 'tokenKey:autogenerate': '' });
    const step = Math.floor(now.getTime() / 1000 / STEP_S) + STEPS_REFUSED;
    for (const { id } of await all(records, 'totps')) {
      await records
        .collection('totp_steps')
        .create({ totp: id, step })
        .catch((error: unknown) => {
          if (!isDuplicate(error)) throw error;
        });
    }
  });
}

const all = (records: PocketBase, collection: string) =>
  records.collection(collection).getFullList<{ id: string }>({ fields: 'id' });

/** The directory of an archive with the few files of a store is far smaller. */
const LONGEST_DIRECTORY = 1024 * 1024;

/** @throws StartError where the file is no backup; nothing is touched before that is known. */
export async function requireBackup(path: string): Promise<void> {
  const file = await open(path).catch(() => null);
  if (!file) throw new StartError(`${path} cannot be read.`);
  try {
    const { size } = await file.stat();
    const tail = Math.min(size, LONGEST_DIRECTORY);
    const [{ buffer: head }, { buffer: end }] = await Promise.all([
      file.read(Buffer.alloc(4), 0, 4, 0),
      file.read(Buffer.alloc(tail), 0, tail, size - tail),
    ]);
    // Its directory stands at the end: one that was cut has none, and any other archive not this file.
    const isWhole = ['PK\u0005\u0006', 'data.db'].every((mark) => end.includes(mark, 0, 'latin1'));
    if (head.toString('latin1') !== 'PK\u0003\u0004' || !isWhole)
      throw new StartError(`${path} is no backup.`);
  } finally {
    await file.close();
  }
}

/**
 * Restores the copy into a record store of its own first: an archive can be whole and what is in it damaged, and that
 * must not cost anybody a store that is well.
 *
 * @throws StartError if no record store starts over it.
 */
export async function requireUsableBackup(path: string, now: Date): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'otp-guard-restore-'));
  const death = new AbortController();
  const onDeath = () => death.abort(new Error('the record store ended'));
  try {
    const log = pino({ level: 'silent' });
    const store = await startEmbeddedStore({ dataDir, publicUrl: 'http://localhost', log, onDeath });
    try {
      const afterwards = () => letSuperuserIn(dataDir, store);
      await restore(createStoreClient(store), { path, now, afterwards, signal: death.signal });
    } finally {
      await store.stop();
    }
  } catch (error) {
    throw new StartError(`${path} is damaged: no record store starts over it. Take another backup.`, {
      cause: error,
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const RESTART_MS = 20_000;

/** It goes away a moment after it has answered; then it answers again. */
async function restarted(url: string, signal?: AbortSignal): Promise<void> {
  const deadline = Date.now() + RESTART_MS;
  let quiet = 0;
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    signal?.throwIfAborted();
    quiet = (await isHealthy(url)) ? quiet + 1 : 0;
    // Up for a whole second and a half: it is not about to go.
    if (quiet >= 6) return;
  }
  throw new StartError('The record store did not come back after the restore. Start OTP Guard again.');
}
