import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { startEmbeddedStore } from '../../src/pocketbase/process/start-embedded-store.ts';
import { APP_KEY } from './app-key.ts';
import { startLocalGitHub } from './built.ts';
import { clientOf, freePort, type TestProduct } from './product.ts';
import { bundleOf } from './program.ts';
import { startRedis } from './redis.ts';

/** Two processes of the product with one record store and one Redis. PUBLIC_URL is the origin of the first. */
export type TwoProcesses = {
  one: TestProduct;
  two: TestProduct;
  /** Moves the clocks of both processes ahead. */
  ahead(ms: number): Promise<void>;
  stop(): Promise<void>;
};

/** Starts both at the same time, with an empty record store. */
export async function startTwoProcesses(): Promise<TwoProcesses> {
  const [port, otherPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-two-'));
  const closers: (() => Promise<unknown>)[] = [async () => rmSync(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: origin });
    closers.push(github.close);
    const store = await startEmbeddedStore({ dataDir, publicUrl: origin, log: pino({ level: 'silent' }) });
    closers.push(store.stop);
    const redis = await startRedis();
    closers.push(redis.stop);
    const environment = {
      ...process.env,
      ...github.env,
      REDIS_URL: redis.url,
      PUBLIC_URL: origin,
      HOST: 'localhost',
      LOG_LEVEL: 'error' as const,
      POCKETBASE_URL: store.url,
      POCKETBASE_SUPERUSER_EMAIL: store.email,
      POCKETBASE_SUPERUSER_PASSWORD: store.password,
      SECRET_KEY: 'the-same-key-in-both-processes-of-the-test',
    };
    const start = (processPort: number): ChildProcess => {
      const script = bundleOf('test/support/product-process.js');
      const child = fork(script, [], {
        env: { ...environment, PORT: String(processPort) },
        execArgv: [],
        silent: true,
      });
      closers.push(() => stopChild(child));
      return child;
    };
    const children = [start(port), start(otherPort)];
    await Promise.all(children.map(nextMessage));
    const common = { dataDir, github, log: [], stop: async () => undefined };
    return {
      one: { ...clientOf({ origin, github }), ...common },
      two: { ...clientOf({ origin: `http://localhost:${otherPort}`, github }), ...common },
      async ahead(ms) {
        await Promise.all(
          children.map((child) => {
            const moved = nextMessage(child);
            child.send(ms);
            return moved;
          }),
        );
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for a message of the process; rejects with its output if it ends instead. */
async function nextMessage(child: ChildProcess): Promise<void> {
  let written = '';
  const record = (chunk: Buffer) => {
    written += chunk.toString();
  };
  const settled = new AbortController();
  const { signal } = settled;
  child.stderr?.on('data', record);
  try {
    await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`A process of the product ended with ${code}: ${written}`);
      }),
    ]);
  } finally {
    settled.abort();
    child.stderr?.off('data', record).resume();
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
