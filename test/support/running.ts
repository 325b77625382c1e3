import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from './process-list.ts';
import { PROGRAM } from './program.ts';
import { LONG_PATIENCE_MS, until } from './until.ts';

export { processesOf };

/** All settings of a process, except PATH and the format of its log. */
export type Env = Record<string, string | undefined>;

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

  constructor(
    env: Env,
    options: {
      args?: string[];
      dotEnv?: string | undefined;
      program?: string;
      isNode?: boolean;
    } = {},
  ) {
    const { args = ['start'], dotEnv, program = PROGRAM, isNode = true } = options;
    if (dotEnv !== undefined) writeFileSync(join(this.folder, '.env'), dotEnv);
    const [command = '', ...rest] = [...(isNode ? [process.execPath] : []), program, ...args];
    this.child = spawn(command, rest, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
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
