import type { Finding, Verification } from '../proofs/findings.ts';
import { printable } from './printable.ts';

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
    process.stdout.write(`${wrap(`${MARKS[status]}  ${which}${about}: ${printable(text)}`)}\n`);
  }
  const end = found.valid ? 'Valid. For what is claimed, you rely on the server.' : 'Not valid.';
  process.stdout.write(`\n${end}\n`);
}

/** Breaks a line between words, under its text. Only on a terminal: other programs get one line for each finding. */
function wrap(line: string, width = process.stdout.columns ?? Number.POSITIVE_INFINITY): string {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const end = rest.lastIndexOf(' ', width);
    if (end <= INDENT.length) break;
    lines.push(rest.slice(0, end));
    rest = `${INDENT}${rest.slice(end + 1)}`;
  }
  return [...lines, rest].join('\n');
}
