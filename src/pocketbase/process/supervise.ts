import { type ChildProcess, spawn } from 'node:child_process';
import type { Log } from '../../log-events.ts';
import { childEnvironment } from './child-environment.ts';
import { firstLogLine } from './first-log-line.ts';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 15_000;
const STOP_PATIENCE_MS = 3_000;
/** After running this long the store counts as healthy, and its next restart doesn't wait long. */
const HEALTHY_AFTER_MS = 30_000;

export type Supervised = {
  hasExited(): boolean;
  /** Ends the process; resolves when it's gone. */
  stop(): Promise<void>;
};

/**
 * Runs the record store's process, and restarts it with growing pauses when it
 * dies. It ends together with this process, even if this process is killed.
 *
 * @param input.onDeath Called each time the process ends without `stop`.
 */
export function supervise(input: {
  binary: string;
  args: string[];
  log: Log;
  onDeath?: (() => void) | undefined;
}): Supervised {
  let isStopping = false;
  let pause = FIRST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let child = run();

  return {
    hasExited: () => child.exitCode !== null,
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      await end(child);
    },
  };

  function run(): ChildProcess {
    const startedAt = Date.now();
    const store = spawnStore(input);
    store.once('exit', (code, signal) => {
      if (isStopping) return;
      input.onDeath?.();
      if (Date.now() - startedAt > HEALTHY_AFTER_MS) pause = FIRST_PAUSE_MS;
      input.log.error(
        { event: 'store_ended', code, signal, restartInMs: pause },
        'record store ended; restarting it',
      );
      restart = setTimeout(() => {
        child = run();
      }, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    });
    return store;
  }
}

function spawnStore({ binary, args, log }: { binary: string; args: string[]; log: Log }): ChildProcess {
  const store = spawn(binary, args, {
    // Piped, not inherited: a child that holds the terminal would keep our own caller waiting.
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C then reaches only us, and we end the store after the last request is answered.
    detached: true,
    env: childEnvironment(),
  });
  store.stdout?.resume();
  store.stderr?.on('data', (chunk: Buffer) =>
    log.warn({ event: 'store_said', store: firstLogLine(chunk.toString()) }, 'record store'),
  );
  const watchdog = startWatchdog(store);
  store.once('error', (error) =>
    log.error({ event: 'store_not_started', err: error }, 'record store did not start'),
  );
  store.once('exit', () => watchdog?.kill());
  return store;
}

/**
 * A shell that ends the store when our end of its pipe closes. That happens
 * even if this process is killed and can't clean up.
 */
function startWatchdog(store: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32' || store.pid === undefined) return undefined;
  const watchdog = spawn('/bin/sh', ['-c', 'read -r _; kill "$1" 2>/dev/null', 'sh', String(store.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
  });
  watchdog.unref();
  return watchdog;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await gone;
  clearTimeout(killTimer);
}
