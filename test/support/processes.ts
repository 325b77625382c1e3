import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { verifyBinary } from '../../src/adapters/pocketbase/process/binary.ts';
import { upsertSuperuser } from '../../src/adapters/pocketbase/process/commands.ts';
import { folderFlags, storeFolder } from '../../src/adapters/pocketbase/process/data-folder.ts';
import { isHealthy } from '../../src/adapters/pocketbase/process/process-marker.ts';
import type { Waits } from '../../src/app/assemble.ts';
import { APP_KEY } from './app-key.ts';
import { RATE_LIMITS, WRITES } from './beyond-limits.ts';
import { startLocalGitHub } from './built.ts';
import { clientOf, freePort } from './product.ts';
import { bundleOf } from './program.ts';
import { startRedis } from './redis.ts';
import { end } from './running.ts';
import { startAll } from './start-all.ts';
import { SECRET_KEY, superuserOf } from './stores.ts';
import { until } from './until.ts';

/** One process of the product. */
export type ProductProcess = {
  port: number;
  /** Its log lines, oldest first. */
  log: string[];
  /** Whether it does the rounds, by its own log. */
  hasRounds(): boolean;
  /** Ends it without a warning. */
  kill(): Promise<void>;
  /** Asks it to end, and returns its exit code. */
  stop(): Promise<number | null>;
};

/** Three processes of the product over one record store and one Redis, behind a balancer, whose address is `origin`. */
export type ManyProcesses = Awaited<ReturnType<typeof startManyProcesses>>;

const COUNT = 3;
const PROGRAM = 'product-process';

/** Starts all at the same time, with an empty record store. */
export function startManyProcesses({
  waits = {},
  env: moreEnv = {},
}: {
  waits?: Waits;
  env?: NodeJS.ProcessEnv;
} = {}) {
  return startAll(async (stops) => {
    const ports = await Promise.all(Array.from({ length: COUNT }, freePort));
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-many-'));
    stops.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const github = await startLocalGitHub({
      privateKey: APP_KEY,
      port: 0,
      publicUrl: origin,
      rateLimits: RATE_LIMITS,
    });
    stops.push(github.close);
    const store = await startExternalStore(join(dataDir, 'store'));
    stops.push(store.kill);
    const redis = await startRedis();
    stops.push(redis.stop);
    const env = {
      ...github.env,
      REDIS_URL: redis.url,
      PUBLIC_URL: origin,
      TRUST_PROXY: '1',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'info' as const,
      POCKETBASE_URL: store.url,
      POCKETBASE_SUPERUSER_EMAIL: store.email,
      POCKETBASE_SUPERUSER_PASSWORD: store.password,
      SECRET_KEY,
      ...moreEnv,
    };
    const children = new Map<ProductProcess, ChildProcess>();
    const processes: ProductProcess[] = [];
    const start = async (at: number, program = bundleOf(PROGRAM)) => {
      const child = fork(program, [JSON.stringify({ writes: WRITES, ...waits })], {
        env: { PATH: process.env.PATH, ...env, PORT: String(at) },
        execArgv: [],
        silent: true,
      });
      stops.push(() => end(child, 'SIGTERM'));
      const log: string[] = [];
      child.stderr?.on('data', (chunk: Buffer) => log.push(...chunk.toString().split('\n').filter(Boolean)));
      const started: ProductProcess = {
        port: at,
        log,
        hasRounds: () => log.some((line) => line.includes('"rounds_taken"')),
        async kill() {
          processes.splice(processes.indexOf(started), 1);
          await end(child, 'SIGKILL');
        },
        async stop() {
          processes.splice(processes.indexOf(started), 1);
          return end(child, 'SIGTERM');
        },
      };
      await nextMessage(child, log);
      children.set(started, child);
      processes.push(started);
      return started;
    };
    await Promise.all(ports.map((at) => start(at)));
    const balancer = await startBalancer({ folder: dataDir, port, servers: ports });
    stops.push(balancer.stop);
    const records = await superuserOf(store);
    const members = { filter: 'org.name = "octo-org"' };
    await until('the members to be read', async () => {
      const { totalItems } = await records.collection('org_members').getList(1, 1, members);
      return totalItems > 0;
    });
    return {
      ...clientOf({ origin, github }),
      env,
      store,
      redis,
      /** The running processes; the test may end them. */
      processes,
      /** Starts another one on a port of the balancer. */
      start,
      dataDir,
      github,
      log: [] as string[],
      /** Moves the clocks of all processes ahead. */
      async ahead(ms: number) {
        await Promise.all(
          processes.map((one) => {
            const child = children.get(one);
            const moved = child && nextMessage(child, one.log);
            child?.send(ms);
            return moved;
          }),
        );
      },
    };
  });
}

/** The program of a newer version: the same, under another version and commit. */
export function newerProgram(
  folder: string,
  { version, commit }: { version: string; commit: string },
): string {
  const bundles = join(folder, 'newer');
  cpSync(resolve('dist-test'), bundles, { recursive: true });
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version, type: 'module' }));
  writeFileSync(join(folder, 'dist/build.json'), JSON.stringify({ commit }));
  for (const name of ['app.yml', 'dist/web', 'node_modules']) symlinkSync(resolve(name), join(folder, name));
  return join(bundles, basename(bundleOf(PROGRAM)));
}

/** Waits for a message of the process; rejects with its log if it ends instead. */
async function nextMessage(child: ChildProcess, log: string[]): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`A process of the product ended with ${code}: ${log.join('\n')}`);
      }),
    ]);
  } finally {
    settled.abort();
  }
}

/** Starts HAProxy with packaging/haproxy.cfg, of which only the addresses differ. */
async function startBalancer(input: { folder: string; port: number; servers: number[] }) {
  const { folder, port, servers } = input;
  const documented = readFileSync('packaging/haproxy.cfg', 'utf8');
  const config = documented
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(
      /10\.0\.0\.1([1-3]):3000/g,
      (_, number: string) => `127.0.0.1:${servers[Number(number) - 1]}`,
    );
  const path = join(folder, 'haproxy.cfg');
  writeFileSync(path, config);
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await until('the balancer', async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${output}`);
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok;
  });
  return { stop: () => end(child, 'SIGTERM') };
}

/**
 * Starts a PocketBase that OTP Guard doesn't start, as an operator runs it for several processes, over a folder, which is
 * created. Everything but `start` leaves its address as it is.
 */
async function startExternalStore(dataDir: string) {
  const binary = await verifyBinary();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const superuser = { email: 'otp-guard@example.org', password: 'a-password-of-the-tests' };
  const isNew = () => !existsSync(storeFolder(dataDir));
  let child: ChildProcess | undefined;
  const store = {
    url,
    ...superuser,
    async start() {
      mkdirSync(dataDir, { recursive: true });
      // Changing its password would end its sessions.
      if (isNew()) await upsertSuperuser(dataDir, superuser);
      child = spawn(binary, ['serve', `--http=127.0.0.1:${port}`, ...folderFlags(dataDir)], {
        stdio: 'ignore',
      });
      await until('the record store', () => isHealthy(url));
    },
    /** Kills its process. */
    async kill() {
      if (child) await end(child, 'SIGKILL');
    },
    /** Removes everything that it stored. */
    erase: () => rmSync(storeFolder(dataDir), { recursive: true, force: true }),
  };
  await store.start();
  return store;
}
