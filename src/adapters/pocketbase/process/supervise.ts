import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Log } from '../../../shared/log-events.ts';
import { childEnvironment, firstLogLine } from './binary.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
const STOP_PATIENCE_MS = 3_000;
/** After running this long the store counts as healthy, and its next restart doesn't wait long. */
const HEALTHY_AFTER_MS = 30_000;
/** Characters of the error output that are kept for an error. */
const KEPT_LENGTH = 1_000;

export type Supervised = ReturnType<typeof supervise>;

/** `lock` is an open file that the process inherits: whoever waits for the lock waits until the process has ended. */
type StoreProcess = { binary: string; args: string[]; lock?: number | undefined };

/**
 * Runs the record store's process, and after `keepRunning` restarts it with
 * growing pauses when it dies. It ends together with this process, even if this
 * process is killed.
 */
export function supervise(input: StoreProcess & { log: Log }) {
  let isStopping = false;
  let isKept = false;
  let hasEnded = false;
  let written = '';
  let pause = FIRST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let child = run();

  return {
    /** Tells whether the process isn't running: it ended, or could not be started. */
    hasEnded: () => hasEnded,
    /** The beginning of what the process wrote to its error output since it was started. */
    written: () => written,
    /** From now on, logs what the process writes to its error output, and restarts it when it dies. */
    keepRunning() {
      isKept = true;
      if (written) logSaid(written);
      if (hasEnded) restartLater();
    },
    /** Ends the process; resolves when it's gone. */
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      await end(child);
    },
  };

  function run(): ChildProcess {
    const startedAt = performance.now();
    hasEnded = false;
    written = '';
    const store = spawnStore(input);
    store.stderr?.on('data', (chunk: Buffer) => {
      written = (written + chunk.toString()).slice(0, KEPT_LENGTH);
      if (isKept) logSaid(chunk.toString());
    });
    store.once('error', (error) =>
      input.log.error({ event: 'store_not_started', err: error }, 'record store did not start'),
    );
    // Node emits `close` even if no process was started, and after all that it wrote was read.
    store.once('close', (code, signal) => {
      hasEnded = true;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) pause = FIRST_PAUSE_MS;
      if (isStopping || !isKept) return;
      input.log.error(
        { event: 'store_ended', code, signal, restartInMs: pause },
        'record store ended; restarting it',
      );
      restartLater();
    });
    return store;
  }

  function logSaid(text: string): void {
    input.log.warn({ event: 'store_said', store: firstLogLine(text) }, 'record store');
  }

  function restartLater(): void {
    restart = setTimeout(() => {
      child = run();
    }, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function spawnStore({ binary, args, lock }: StoreProcess): ChildProcess {
  const store = spawn(binary, args, {
    // Piped, not inherited: a child that holds the terminal would keep our own caller waiting.
    stdio: ['ignore', 'pipe', 'pipe', ...(lock === undefined ? [] : [lock])],
    // A group of its own: Ctrl-C then reaches only us, and we end the store after the last request is answered.
    detached: true,
    env: childEnvironment(),
  });
  store.stdout?.resume();
  // The work that uses the store keeps this process running, and not the store itself.
  store.unref();
  for (const output of [store.stdout, store.stderr]) (output as Socket | null)?.unref();
  const watchdog = startWatchdog(store);
  store.once('exit', () => watchdog?.kill());
  return store;
}

/**
 * A shell that ends the store when our end of its pipe closes. That happens
 * even if this process is killed and can't clean up.
 */
function startWatchdog(store: ChildProcess): ChildProcess | undefined {
  if (store.pid === undefined) return undefined;
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill "$1" 2>/dev/null', 'sh', String(store.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  });
  watchdog.unref();
  return watchdog;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.ref();
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await gone;
  clearTimeout(killTimer);
}
