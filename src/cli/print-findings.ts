import type { Finding, Verification } from '../proofs/findings.ts';
import { printable } from './printable.ts';
import { wrapLine } from './wrap-line.ts';

const MARKS: Record<Finding['status'], string> = { proved: 'proved ', claimed: 'claimed', failed: 'FAILED ' };

const INDENT = ' '.repeat('proved   '.length);

/** Writes what was found out to standard output, as JSON or as one line for each finding. */
export function printFindings<T extends Verification>(found: T, { json = false }: { json?: boolean }): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  for (const { status, about, text, receipt } of found.findings) {
    const which = receipt === undefined ? '' : `receipt ${receipt}, `;
    process.stdout.write(`${wrapLine(`${MARKS[status]}  ${which}${about}: ${printable(text)}`, INDENT)}\n`);
  }
  const end = found.valid ? 'Valid. For what is claimed, you rely on the server.' : 'Not valid.';
  process.stdout.write(`\n${end}\n`);
}
