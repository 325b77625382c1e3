import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Waits } from '../../src/assemble.ts';
import { until } from './product.ts';

export type Env = Record<string, string | undefined>;

const RESTART_MS = 100;
/** So much of what it wrote is kept. */
const KEPT = 2_000_000;

/** A command line that runs what follows it; the shell of a limit, for one. */
export type Launch = { command: string; args: string[] };

/** How a process of the product ended, and what it wrote. */
export type Ended = { code: number | null; stdout: string; stderr: string };

function spawnNode(script: string[], env: Env, launch?: Launch): ChildProcess {
  const [file = '', ...given] = script;
  const { command, args } = launch ?? { command: process.execPath, args: [] };
  const own = launch ? [process.execPath] : [];
  return spawn(command, [...args, ...own, resolve(file), ...given], {
    env: { PATH: process.env.PATH, LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

const LONGEST_RUN_MS = 120_000;

/** Runs a script with its arguments to its end; asks it to end if it does not by itself. */
export function runToEnd(
  script: string[],
  env: Env,
  { launch, mostMs = LONGEST_RUN_MS }: { launch?: Launch; mostMs?: number } = {},
): Promise<Ended> {
  const child = spawnNode(script, env, launch);
  const impatient = setTimeout(() => child.kill('SIGTERM'), mostMs);
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
      clearTimeout(impatient);
      done({ ...ended, code });
    });
  });
}

/** What a sweep did, in the words of its line of JSON, and what it logged. */
export type Swept = {
  report: { repaired: object[]; faults: object[]; redelivered: number };
  log: string;
};

/** A sweep by a process of its own, with these waits. */
export async function runSweep(env: Env, waits: Waits): Promise<Swept> {
  const script = ['test/support/sweep-process.js', JSON.stringify(waits)];
  const { code, stdout, stderr } = await runToEnd(script, env);
  if (code !== 0) throw new Error(`the sweep ended with ${code}: ${stderr.slice(-2_000)}`);
  return { report: JSON.parse(stdout.trim().split('\n').at(-1) ?? ''), log: stderr };
}

/**
 * The product under a supervisor that starts it again whenever it ends: real processes that really die.
 * The data folder is the caller's and stays.
 */
export class SupervisedProduct {
  /** How often it was started. */
  starts = 0;
  stderr = '';
  readonly #env: Env;
  readonly #script: string[];
  #child: ChildProcess | undefined;
  #isReady = false;
  #isWanted = false;

  constructor(env: Env & { DATA_DIR: string }, waits: Waits) {
    this.#env = env;
    this.#script = ['test/support/product-process.js', JSON.stringify(waits)];
  }

  start(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#spawn();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when a process of it can take requests; waits through failed starts. */
  async ready(): Promise<void> {
    await until('the product to be ready', async () => this.#isReady, 60_000);
  }

  /** Kills the process and resolves when it is gone; another follows. False where none lives at this moment. */
  async kill(): Promise<boolean> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return false;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
    return true;
  }

  /** Kills the record store's process; false where there is none at this moment. */
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

  /** The record store that the living process started. */
  get storePid(): number | undefined {
    const parent = this.#child?.pid;
    const isStore = (command: string) =>
      command.includes(` serve `) && command.includes(`--dir=${this.#env.DATA_DIR}`);
    return processes().find(({ ppid, command }) => ppid === parent && isStore(command))?.pid;
  }

  /** Ends it for good, and resolves when it and its record store are gone. SIGTERM asks; SIGKILL does not. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill(signal);
      await gone;
    }
    const folder = `--dir=${this.#env.DATA_DIR}`;
    await until(
      'its record store to end',
      async () => processes().every(({ command }) => !command.includes(folder)),
      30_000,
    );
  }

  #spawn(): void {
    this.starts += 1;
    const child = spawnNode(this.#script, this.#env);
    this.#child = child;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#child === child && chunk.includes('"ready":true')) this.#isReady = true;
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-KEPT);
    });
    child.once('exit', () => {
      if (this.#child === child) this.#isReady = false;
      if (this.#isWanted) setTimeout(() => this.#isWanted && this.#spawn(), RESTART_MS);
    });
  }
}

type Process = { pid: number; ppid: number; command: string };

function processes(): Process[] {
  if (existsSync('/proc/self/cmdline')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => processOf(name));
  }
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, ppid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), command }];
  });
}

function processOf(pid: string): Process[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The name before it is in brackets and may hold anything.
    const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [{ pid: Number(pid), ppid: Number(ppid), command }];
  } catch {
    return [];
  }
}
