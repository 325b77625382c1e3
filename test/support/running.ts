import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './program.ts';
import { LONG_PATIENCE_MS, until } from './until.ts';

/** All settings of a process, except PATH and the format of its log. */
export type Env = Record<string, string | undefined>;

export type Options = {
  args?: string[];
  dotEnv?: string | undefined;
  program?: string;
  isNode?: boolean;
  /** Whether it leads a process group, to which a signal can be sent as by Ctrl-C. */
  isLeader?: boolean;
};

/**
 * Runs `otp-guard start`, or with other arguments, in a new folder and with these settings only, or the `program` at
 * another path. With `isNode: false` that's no script of Node's.
 */
export class Running {
  readonly child: ChildProcess;
  readonly folder = mkdtempSync(join(tmpdir(), 'otp-guard-process-'));
  stdout = '';
  stderr = '';
  code: number | null | undefined;

  constructor(env: Env, options: Options = {}) {
    const { args = ['start'], dotEnv, program = PROGRAM, isNode = true, isLeader = false } = options;
    if (dotEnv !== undefined) writeFileSync(join(this.folder, '.env'), dotEnv);
    const [command = '', ...rest] = [...(isNode ? [process.execPath] : []), program, ...args];
    this.child = spawn(command, rest, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: isLeader,
    });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.child.once('close', (code) => {
      this.code = code;
    });
  }

  /** The lines that it wrote to standard error outside its log. */
  get said(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  }

  async ready(): Promise<{ ready: true; dashboard: string }> {
    const line = await until(
      'the product to be ready',
      async () => {
        if (this.code !== undefined) throw new Error(`The process ended with ${this.code}: ${this.stderr}`);
        return this.stdout.includes('\n') && this.stdout;
      },
      LONG_PATIENCE_MS,
    );
    return JSON.parse(line);
  }

  async ended(): Promise<number | null> {
    await until('the process to end', async () => this.code !== undefined, LONG_PATIENCE_MS);
    return this.code ?? null;
  }

  /** Sends a signal as a terminal does: to the process and its children, except those with a group of their own. */
  signalGroup(signal: NodeJS.Signals): void {
    process.kill(-Number(this.child.pid), signal);
  }

  /** The ids of the processes that use its folder, including itself. */
  processes(): number[] {
    return processesOf(this.folder);
  }

  async clear(): Promise<void> {
    this.child.kill('SIGKILL');
    await until('its processes to end', async () => this.processes().length === 0, LONG_PATIENCE_MS);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a program until it ends; sends SIGTERM if it takes longer than `mostMs`. */
export async function runToEnd(env: Env, options: Options, mostMs = 120_000): Promise<Running> {
  const running = new Running(env, options);
  const timer = setTimeout(() => running.child.kill('SIGTERM'), mostMs);
  await once(running.child, 'close');
  clearTimeout(timer);
  await running.clear();
  return running;
}

/** Ends a process if it runs, and returns its exit code. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** All processes of this machine. */
export const listProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);

/** Empty if the process ended in the meantime. */
function readProcess(pid: string): { pid: number; ppid: number; command: string }[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The second field is the name in brackets, which may contain anything; the parent is the second one after it.
    const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [{ pid: Number(pid), ppid: Number(ppid), command }];
  } catch {
    return [];
  }
}

/** Ids of the other processes whose command line contains `text`. */
export const processesOf = (text: string): number[] =>
  listProcesses()
    .filter(({ pid, command }) => command.includes(text) && pid !== process.pid)
    .map(({ pid }) => pid);
