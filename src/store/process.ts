import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { DamagedStore } from '../start-error.ts';
import { verifiedBinary } from './binary.ts';
import { isHealthy } from './healthy.ts';

/** Where a running record store is, and how its superuser signs in. */
export type StoreAddress = { url: string; email: string; password: string };

export type EmbeddedStore = StoreAddress & {
  /** Ends the record store; resolves when its process is gone. */
  stop(): Promise<void>;
};

const SUPERUSER = 'otp-guard@localhost.invalid';
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
const STOP_PATIENCE_MS = 3_000;
/** A store that lived this long was well: the pauses between restarts begin anew. */
const WELL_AFTER_MS = 30_000;

/**
 * Starts PocketBase on loopback over `dataDir`, starts it again with growing
 * pauses when it dies, and ends it with this process, however that ends. The
 * superuser's password is new at each start.
 *
 * @throws Error with one sentence where the store does not come up the first time.
 */
export async function startEmbeddedStore(input: {
  dataDir: string;
  publicUrl: string;
  log: Logger;
  /** Called each time that it ends without being asked to. */
  onDeath?(): void;
}): Promise<EmbeddedStore> {
  const { dataDir, publicUrl, log } = input;
  const [binary, port] = await Promise.all([verifiedBinary(), freePort()]);
  const address = {
    url: `http://127.0.0.1:${port}`,
    email: SUPERUSER,
    // Hex: on a command line a password that begins with a dash would be a flag.
    password: randomBytes(24).toString('hex'),
  };
  const flags = flagsFor(dataDir);
  requireWhole(dataDir);
  // Before the first `serve`: a store without a superuser prints a link that makes anyone one.
  await letSuperuserIn(dataDir, address);

  let stopping = false;
  let pause = FIRST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let child = serve();
  await healthy(address.url, () => child.exitCode !== null);

  return {
    ...address,
    async stop() {
      stopping = true;
      clearTimeout(restart);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
      await gone;
      clearTimeout(impatient);
    },
  };

  function serve(): ChildProcess {
    const startedAt = Date.now();
    const store = spawn(binary, ['serve', `--http=127.0.0.1:${port}`, `--origins=${publicUrl}`, ...flags], {
      // Piped, not inherited: a child that holds the terminal keeps whoever started us waiting.
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C reaches us alone, and we end it when the last request is answered.
      detached: true,
    });
    store.stdout?.resume();
    store.stderr?.on('data', (chunk: Buffer) =>
      log.warn({ store: firstLine(chunk.toString()) }, 'record store'),
    );
    const watchdog = endWithUs(store);
    store.once('error', (error) => log.error({ err: error }, 'record store did not start'));
    store.once('exit', (code, signal) => {
      watchdog?.kill();
      if (stopping) return;
      input.onDeath?.();
      if (Date.now() - startedAt > WELL_AFTER_MS) pause = FIRST_PAUSE_MS;
      log.error({ code, signal, restartInMs: pause }, 'record store ended; starting it again');
      restart = setTimeout(() => {
        child = serve();
      }, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    });
    return store;
  }
}

/**
 * Makes this superuser and this password good in the store over `dataDir`, whether or not it runs.
 *
 * @throws Error with one sentence where the folder is of no use.
 */
export async function letSuperuserIn(
  dataDir: string,
  { email, password }: Pick<StoreAddress, 'email' | 'password'>,
): Promise<void> {
  const binary = await verifiedBinary();
  await promisify(execFile)(binary, ['superuser', 'upsert', email, password, ...flagsFor(dataDir)]).catch(
    (error: { stderr?: string }) => {
      const reason = firstLine(error.stderr);
      const Kind = /malformed|not a database/.test(reason) ? DamagedStore : Error;
      throw new Kind(`The record store cannot use ${dataDir}: ${reason}`);
    },
  );
}

function flagsFor(dataDir: string): string[] {
  const folders = makeFolders(dataDir);
  return [
    `--dir=${folders[0]}`,
    `--hooksDir=${folders[1]}`,
    `--publicDir=${folders[2]}`,
    `--migrationsDir=${folders[3]}`,
    // Under a temporary folder it would take itself for a development build and print every SQL value.
    '--dev=false',
    '--automigrate=false',
    '--hooksWatch=false',
  ];
}

/**
 * An empty file would be taken for a new store, and everything that was known be forgotten without a word.
 *
 * @throws Error where the store's main file is empty, or gone while its companion is there.
 */
function requireWhole(dataDir: string): void {
  const sizeOf = (name: string) => {
    const stats = statSync(join(dataDir, 'pocketbase', 'data', name), { throwIfNoEntry: false });
    return stats?.size;
  };
  const size = sizeOf('data.db');
  if (size === 0 || (size === undefined && sizeOf('auxiliary.db') !== undefined)) {
    throw new DamagedStore(
      `The record store in ${dataDir} has lost its data: data.db is ${size === 0 ? 'empty' : 'gone'}. Bring it back: npm run restore -- <file>`,
    );
  }
}

/** @throws Error with one sentence where the folders cannot be made. */
function makeFolders(dataDir: string): string[] {
  try {
    return ['data', 'hooks', 'public', 'migrations'].map((name) => {
      const folder = join(dataDir, 'pocketbase', name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    });
  } catch (error) {
    throw new Error(`The record store cannot use ${dataDir}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/**
 * A shell that ends the store when our end of its pipe closes: that happens
 * even when this process is killed and can end nothing itself.
 */
function endWithUs(store: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32' || store.pid === undefined) return undefined;
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill "$1" 2>/dev/null', 'sh', String(store.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  return watchdog;
}

/** Resolves when the store at `url` answers; `ended` tells that it never will. */
async function healthy(url: string, ended: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && !ended()) {
    if (await isHealthy(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  throw new Error('The record store did not start. Is its data folder damaged, or its disk full?');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port on this machine.');
  return address.port;
}

function firstLine(text: string | undefined): string {
  const [line = ''] = text?.trim().split('\n') ?? [];
  // Go's log puts the time in front.
  return line.replace(/^[0-9/]+ [0-9:]+ /, '').slice(0, 200) || 'no reason given';
}
