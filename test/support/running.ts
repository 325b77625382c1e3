import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { until } from './product.ts';

/** A process that is well starts and ends in a second or two; a busy machine takes its time. */
const PATIENCE_MS = 50_000;

/** The settings of a process: all that it has, but for the path and the log's format. */
export type Env = Record<string, string | undefined>;

/**
 * `npm start` without npm, or another script of the build: in a folder of its own, with these settings and no others.
 */
export class Running {
  readonly child: ChildProcess;
  readonly folder = mkdtempSync(join(tmpdir(), 'otp-guard-process-'));
  stdout = '';
  stderr = '';
  code: number | null | undefined;

  constructor(env: Env, options: { script?: string; args?: string[]; dotEnv?: string | undefined } = {}) {
    const { script = 'main', args = [], dotEnv } = options;
    if (dotEnv !== undefined) writeFileSync(join(this.folder, '.env'), dotEnv);
    this.child = spawn(process.execPath, [resolve(`dist/${script}.js`), ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, LOG_FORMAT: 'json', ...env },
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

  /** What it wrote to standard error beside its log. */
  get said(): string[] {
    return this.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  }

  async ready(): Promise<{ ready: true; dashboard: string }> {
    const line = await until(
      'the product to be ready',
      async () => {
        if (this.code !== undefined) throw new Error(`it ended with ${this.code}: ${this.stderr}`);
        return this.stdout.includes('\n') && this.stdout;
      },
      PATIENCE_MS,
    );
    return JSON.parse(line);
  }

  async ended(): Promise<number | null> {
    await until('the process to end', async () => this.code !== undefined, PATIENCE_MS);
    return this.code ?? null;
  }

  /** The processes that work in its folder, itself included. */
  processes(): number[] {
    return processesOf(this.folder);
  }

  async clear(): Promise<void> {
    this.child.kill('SIGKILL');
    await until('its processes to end', async () => this.processes().length === 0, PATIENCE_MS);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Process ids whose command line names `text`. */
export function processesOf(text: string): number[] {
  return commands()
    .filter(([pid, command]) => command.includes(text) && pid !== process.pid)
    .map(([pid]) => pid);
}

function commands(): [pid: number, command: string][] {
  if (existsSync('/proc/self/cmdline')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), commandOf(name)]);
  }
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,command='], { encoding: 'utf8' });
  return listed.split('\n').map((line) => [Number.parseInt(line, 10), line]);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
