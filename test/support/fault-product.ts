import { type ChildProcess, spawn } from 'node:child_process';
import type { Waits } from '../../src/app/assemble.ts';
import { listProcesses } from './process-list.ts';
import { bundleOf } from './program.ts';
import { until } from './until.ts';

export type Env = Record<string, string | undefined>;

const RESTART_MS = 100;
/** How many characters of its standard error we keep. */
const MOST_KEPT = 50_000_000;

/** A command that runs another one, for example a shell that sets a limit first. */
export type Launch = { command: string; args: string[] };

/** How a process ended, and what it wrote. */
export type Ended = { code: number | null; stdout: string; stderr: string };

function spawnNode(script: string[], env: Env, launch?: Launch): ChildProcess {
  const [file = '', ...given] = script;
  const { command, args } = launch ?? { command: process.execPath, args: [] };
  const node = launch ? [process.execPath] : [];
  return spawn(command, [...args, ...node, file, ...given], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const LONGEST_RUN_MS = 120_000;
/** The first one of 500 pull requests creates as many runs. */
const LONGEST_SWEEP_MS = 600_000;

/** Runs a script with its arguments until it ends; sends SIGTERM if it takes longer than `mostMs`. */
export function runToEnd(
  script: string[],
  env: Env,
  { launch, mostMs = LONGEST_RUN_MS }: { launch?: Launch; mostMs?: number } = {},
): Promise<Ended> {
  const child = spawnNode(script, env, launch);
  const timer = setTimeout(() => child.kill('SIGTERM'), mostMs);
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    ended.stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    ended.stderr += chunk.toString();
  });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => {
      clearTimeout(timer);
      done({ ...ended, code });
    });
  });
}

/** The report of one reconciliation, and its log. */
export type Swept = {
  report: { repaired: object[]; faults: object[]; redelivered: number };
  log: string;
};

/** Runs `otp-guard sweep` as a process, with these waits. */
export async function runSweep(env: Env, waits: Waits): Promise<Swept> {
  const script = [bundleOf('sweep-process'), JSON.stringify(waits)];
  const { code, stdout, stderr } = await runToEnd(script, env, { mostMs: LONGEST_SWEEP_MS });
  if (code !== 0) throw new Error(`The sweep ended with ${code}: ${stderr.slice(-2_000)}`);
  return { report: JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), log: stderr };
}

/**
 * The product as a real process, restarted each time it ends. It doesn't delete the data folder.
 */
export class SupervisedProduct {
  /** How often the process was started. */
  starts = 0;
  stderr = '';
  /** When it wasn't ready, in milliseconds. */
  readonly downs: { since: number; until: number }[] = [];
  readonly #env: Env;
  readonly #script: string[];
  #child: ChildProcess | undefined;
  #isReady = false;
  #diedAt = 0;
  #isWanted = false;

  constructor(env: Env & { DATA_DIR: string }, waits: Waits) {
    this.#env = env;
    this.#script = [bundleOf('product-process'), JSON.stringify(waits)];
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#spawn();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when the product can take requests, after failed starts too. */
  async ready(): Promise<void> {
    await until('the product to be ready', async () => this.#isReady, 60_000);
  }

  /** Kills the process and resolves when it has ended; it is restarted. False if no process is running. */
  async kill(): Promise<boolean> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return false;
    const exited = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await exited;
    return true;
  }

  /** Kills the record store's process; false if it isn't running. */
  killStore(): boolean {
    const pid = this.storePid;
    if (pid === undefined) return false;
    try {
      process.kill(pid, 'SIGKILL');
      return true;
    } catch {
      return false;
    }
  }

  /** The process id of the running record store. */
  get storePid(): number | undefined {
    const parent = this.#child?.pid;
    const isStore = (command: string) =>
      command.includes(' serve ') && command.includes(`--dir=${this.#env.DATA_DIR}`);
    return listProcesses().find(({ ppid, command }) => ppid === parent && isStore(command))?.pid;
  }

  /** Stops the product without a restart; resolves when it and its record store have ended. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((done) => child.once('exit', done));
      child.kill(signal);
      await exited;
    }
    const folder = `--dir=${this.#env.DATA_DIR}`;
    await until(
      'its record store to end',
      async () => listProcesses().every(({ command }) => !command.includes(folder)),
      30_000,
    );
  }

  #spawn(): void {
    this.starts += 1;
    const child = spawnNode(this.#script, this.#env);
    this.#child = child;
    const down = { since: this.#diedAt, until: Number.POSITIVE_INFINITY };
    this.downs.push(down);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#child !== child || !chunk.includes('"ready":true')) return;
      this.#isReady = true;
      down.until = Date.now();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-MOST_KEPT);
    });
    child.once('exit', () => {
      if (this.#child === child) this.#isReady = false;
      this.#diedAt = Date.now();
      down.until = Math.min(down.until, this.#diedAt);
      if (this.#isWanted) setTimeout(() => this.#isWanted && this.#spawn(), RESTART_MS);
    });
  }
}
