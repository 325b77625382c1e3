import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { verifyBinary } from '../../src/adapters/pocketbase/process/binary.ts';
import { upsertSuperuser } from '../../src/adapters/pocketbase/process/commands.ts';
import { folderFlags, storeFolder } from '../../src/adapters/pocketbase/process/data-folder.ts';
import { isHealthy } from '../../src/adapters/pocketbase/process/process-marker.ts';
import { freePort } from './product.ts';
import { until } from './until.ts';

/** A PocketBase that OTP Guard doesn't start: as an operator runs it for several processes. */
export type ExternalStore = {
  url: string;
  email: string;
  password: string;
  start(): Promise<void>;
  /** Kills its process. */
  kill(): Promise<void>;
  /** Removes everything that it stored. */
  erase(): void;
};

/** Starts it over a folder, which is created. Everything but `start` leaves its address as it is. */
export async function startExternalStore(dataDir: string): Promise<ExternalStore> {
  const binary = await verifyBinary();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const superuser = { email: 'otp-guard@example.org', password: 'a-password-of-the-tests' };
  const isNew = () => !existsSync(storeFolder(dataDir));
  let child: ChildProcess | undefined;
  const store: ExternalStore = {
    url,
    ...superuser,
    async start() {
      mkdirSync(dataDir, { recursive: true });
      // Changing its password would end its sessions.
      if (isNew()) await upsertSuperuser(dataDir, superuser, binary);
      child = spawn(binary, ['serve', `--http=127.0.0.1:${port}`, ...folderFlags(dataDir)], {
        stdio: 'ignore',
      });
      await until('the record store', () => isHealthy(url));
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
    erase: () => rmSync(storeFolder(dataDir), { recursive: true, force: true }),
  };
  await store.start();
  return store;
}
