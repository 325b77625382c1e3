import { jest } from '@jest/globals';
import { UsageError } from '../../src/cli/usage-error.ts';
import type { Env } from './running.ts';

/** The output of a command. */
export type Written = { out: string; err: string };

/** The output so far of the command that runs now, or that ran last. */
export let written: Written = { out: '', err: '' };

/** Runs a command's function in this process, as the program does: in `folder`, and with these settings only. */
export async function runHere(
  work: () => Promise<unknown>,
  { env = {}, folder }: { env?: Env; folder: string },
): Promise<Written & { code: number }> {
  const [cwd, before] = [process.cwd(), process.env];
  const own: Written = { out: '', err: '' };
  written = own;
  const capture = (stream: NodeJS.WriteStream, name: keyof Written) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      own[name] += String(text);
      return true;
    });
  const spies = [capture(process.stdout, 'out'), capture(process.stderr, 'err')];
  process.env = { PATH: before.PATH, LOG_LEVEL: 'silent', ...env };
  process.exitCode = undefined;
  process.chdir(folder);
  try {
    const isValid = await work();
    return { ...own, code: isValid === false ? 1 : Number(process.exitCode ?? 0) };
  } catch (error) {
    own.err += `${(error as Error).message}\n`;
    return { ...own, code: error instanceof UsageError ? 2 : 1 };
  } finally {
    process.chdir(cwd);
    process.exitCode = undefined;
    process.env = before;
    for (const spy of spies) spy.mockRestore();
  }
}
