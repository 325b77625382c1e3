import { rmSync } from 'node:fs';
import type { Waits } from '../../src/app/assemble.ts';
import { bundleOf } from './program.ts';
import { type Env, end, listProcesses, processesOf, Running, runToEnd } from './running.ts';
import { until } from './until.ts';

const RESTART_MS = 100;
/** How many characters of its standard error we keep. */
const MOST_KEPT = 50_000_000;
/** The first reconciliation of 500 pull requests creates 500 runs. */
const LONGEST_SWEEP_MS = 600_000;

/** The report of one reconciliation, and its log. */
export type Swept = {
  report: { repaired: object[]; faults: object[]; redelivered: number };
  log: string;
};

/** Runs `otp-guard sweep` as a process, with these waits. */
export async function runSweep(env: Env, waits: Waits): Promise<Swept> {
  const options = { program: bundleOf('sweep-process'), args: [JSON.stringify(waits)] };
  const { code, stdout, stderr } = await runToEnd(env, options, LONGEST_SWEEP_MS);
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
  readonly #waits: Waits;
  #running: Running | undefined;
  #isReady = false;
  #diedAt = 0;
  #isWanted = false;

  constructor(env: Env & { DATA_DIR: string }, waits: Waits) {
    this.#env = env;
    this.#waits = waits;
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
    const child = this.#running?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return false;
    await end(child, 'SIGKILL');
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
    const parent = this.#running?.child.pid;
    const isStore = (command: string) =>
      command.includes(' serve ') && command.includes(`--dir=${this.#env.DATA_DIR}`);
    return listProcesses().find(({ ppid, command }) => ppid === parent && isStore(command))?.pid;
  }

  /** Stops the product without a restart; resolves when it and its record store have ended. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    if (this.#running) await end(this.#running.child, signal);
    const hasEnded = () => processesOf(`--dir=${this.#env.DATA_DIR}`).length === 0;
    await until('its record store to end', hasEnded, 30_000);
  }

  #spawn(): void {
    this.starts += 1;
    const program = bundleOf('product-process');
    const running = new Running(this.#env, { program, args: [JSON.stringify(this.#waits)] });
    const { child } = running;
    this.#running = running;
    const down = { since: this.#diedAt, until: Number.POSITIVE_INFINITY };
    this.downs.push(down);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (this.#running !== running || !chunk.includes('"ready":true')) return;
      this.#isReady = true;
      down.until = Date.now();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString()).slice(-MOST_KEPT);
    });
    child.once('exit', () => {
      rmSync(running.folder, { recursive: true, force: true });
      if (this.#running === running) this.#isReady = false;
      this.#diedAt = Date.now();
      down.until = Math.min(down.until, this.#diedAt);
      if (this.#isWanted) setTimeout(() => this.#isWanted && this.#spawn(), RESTART_MS);
    });
  }
}
