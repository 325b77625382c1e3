import { printable } from '../printable.ts';
import { wrapLine } from '../wrap-line.ts';
import type { Finding, Status } from './finding.ts';

const MARKS: Record<Status, string> = {
  ok: 'ok     ',
  note: 'note   ',
  unknown: 'unknown',
  problem: 'PROBLEM',
};
const INDENT = ' '.repeat('PROBLEM  '.length);

/** Writes the findings to standard output: one line for each, or one line of JSON. */
export function printDiagnosis(findings: readonly Finding[], { json }: { json?: boolean | undefined }): void {
  const problems = findings.filter(({ status }) => status === 'problem').length;
  if (json) {
    process.stdout.write(`${JSON.stringify({ problems, findings })}\n`);
    return;
  }
  for (const { check, status, text } of findings)
    process.stdout.write(`${wrapLine(`${MARKS[status]}  ${check}: ${printable(text)}`, INDENT)}\n`);
  process.stdout.write(
    `\n${problems === 0 ? 'No problem.' : problems === 1 ? '1 problem.' : `${problems} problems.`}\n`,
  );
}
