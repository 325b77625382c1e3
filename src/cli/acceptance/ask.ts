import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from '../usage-error.ts';

/** Asks on the terminal, on standard error: standard output is for the result. A secret isn't shown. */
async function ask(
  question: string,
  { isSecret = false, signal }: { isSecret?: boolean; signal: AbortSignal },
) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? nowhere : process.stderr;
  if (isSecret) process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // In this mode, Ctrl-C comes as a key.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question(isSecret ? '' : question, { signal })).trim();
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}

/**
 * The operator's token: from the environment, or typed.
 *
 * @throws UsageError if there is neither a token nor a terminal.
 */
export async function readToken(given: string | undefined, signal: AbortSignal): Promise<string> {
  if (given?.trim()) return given.trim();
  if (!process.stdin.isTTY) throw new UsageError('Set the environment variable GITHUB_TOKEN.');
  const token = await ask('GitHub token: ', { isSecret: true, signal });
  if (token === '') throw new UsageError('There is no token. Type it, or set GITHUB_TOKEN.');
  return token;
}

/** @throws UsageError if the operator doesn't agree, or there is no terminal to ask on. */
export async function confirm(text: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`${text} Run it again with --yes to allow that.`);
  const answer = await ask(`${text} Type yes to go on: `, { signal });
  if (answer !== 'yes') throw new UsageError('Nothing was changed.');
}
