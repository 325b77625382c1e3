import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import { startLocalGitHub } from '../../src/demo/local-github.ts';
import { startEmbeddedStore } from '../../src/store/process.ts';
import { clientOf, freePort, type TestProduct } from './product.ts';

/** Two processes of the product over one record store; the first one's origin is the product's. */
export type TwoProcesses = {
  one: TestProduct;
  two: TestProduct;
  /** Moves the clock of both. */
  ahead(ms: number): Promise<void>;
  stop(): Promise<void>;
};

export async function startTwoProcesses(): Promise<TwoProcesses> {
  const [port, otherPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-two-'));
  const github = await startLocalGitHub({ port: 0, publicUrl: origin });
  const store = await startEmbeddedStore({ dataDir, publicUrl: origin, log: pino({ level: 'silent' }) });
  const environment = {
    ...process.env,
    ...github.env,
    PUBLIC_URL: origin,
    HOST: 'localhost',
    POCKETBASE_URL: store.url,
    POCKETBASE_SUPERUSER_EMAIL: store.email,
    POCKETBASE_SUPERUSER_PASSWORD: store.password,
    SECRET_KEY: 'the-same-key-in-both-processes-of-the-test',
  };
  const start = async (at: number): Promise<ChildProcess> => {
    const child = fork(resolve('test/support/product-process.js'), {
      env: { ...environment, PORT: String(at) },
      execArgv: [],
    });
    await once(child, 'message');
    return child;
  };
  const children = await Promise.all([start(port), start(otherPort)]);
  const common = { dataDir, github, log: [], stop: async () => undefined };
  return {
    one: { ...clientOf({ origin, github }), ...common },
    two: { ...clientOf({ origin: `http://localhost:${otherPort}`, github }), ...common },
    async ahead(ms) {
      await Promise.all(
        children.map((child) => {
          const moved = once(child, 'message');
          child.send(ms);
          return moved;
        }),
      );
    },
    async stop() {
      await Promise.all(
        children.map((child) => {
          const gone = once(child, 'exit');
          child.kill('SIGTERM');
          return gone;
        }),
      );
      await store.stop();
      await github.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
