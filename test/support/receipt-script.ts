import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { verifyReceipt } from '../../src/proofs/verify-receipt.ts';
import type { TestLog } from './test-log.ts';

const SCRIPT = join(import.meta.dirname, '../receipts/verify_receipt.py');

/**
 * Verifies statements, signed by the log's server, by our program and by the script that was written from
 * docs/receipts/format.md alone.
 *
 * @returns The names of those that are valid, and those on which the two don't agree, with the script's words.
 */
export async function verifyTwice(statements: Record<string, unknown>, log: TestLog, checkpoint?: string) {
  const receipts = Object.values(statements).map((statement) => log.envelope(statement));
  const { keyList } = log;
  const says = await runScript([JSON.stringify({ receipts }), JSON.stringify(keyList), checkpoint ?? '']);
  const [valid, differing]: [string[], string[]] = [[], []];
  for (const [at, name] of Object.keys(statements).entries()) {
    const program = await verifyReceipt(receipts[at], { keyList, checkpoint });
    if (program.valid) valid.push(name);
    if (program.valid !== /^\d+ valid/.test(says[at] ?? '')) differing.push(`${name}: ${says[at]}`);
  }
  return { valid, differing };
}

/** The lines of the script for these files: a receipt or bundle, the list of keys, and maybe a checkpoint. */
async function runScript(texts: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-receipts-'));
  const files = texts.filter(Boolean).map((text, at) => {
    writeFileSync(join(folder, `${at}`), text);
    return join(folder, `${at}`);
  });
  try {
    // With -B it leaves no compiled files behind. It exits with 1 if a receipt isn't valid.
    const run = promisify(execFile)('/usr/bin/python3', ['-B', SCRIPT, ...files], { maxBuffer: 2 ** 24 });
    const { stdout, stderr } = await run.catch((failed) => failed);
    return stderr ? Promise.reject(new Error(stderr)) : stdout.split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
