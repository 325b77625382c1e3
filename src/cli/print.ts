import { refusalIn, type Verification } from '../proofs/findings.ts';

/** Writes a command's result to standard output: as one line of JSON, or in lines such as `backed up: yes`. */
export function printResult(result: object, { json = false }: { json?: boolean | undefined }): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : linesOf(result).join(''));
}

function linesOf(value: object, indent = ''): string[] {
  return Object.entries(value).flatMap(([key, part]) => {
    const name = Array.isArray(value) ? '-' : `${words(key)}:`;
    if (typeof part !== 'object' || part === null) return [`${indent}${name} ${text(part)}\n`];
    const lines = linesOf(part, `${indent}  `);
    return lines.length === 0 ? [`${indent}${name} none\n`] : [`${indent}${name}\n`, ...lines];
  });
}

/** `backedUp` as `backed up`; names of collections keep their underscores. */
const words = (key: string) => key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function text(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null || value === undefined ? 'none' : printable(String(value));
}

/** Names come from others: none may move the cursor or turn the direction of a line. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');

/** Writes one finding of a verification or of the doctor: its status in at most seven letters, and one line. */
export function printFinding(status: string, text: string): void {
  // Only a terminal has a width: other programs get one line.
  const { columns = Number.POSITIVE_INFINITY } = process.stdout;
  process.stdout.write(wrap(`${status.padEnd(7)}  `, text, columns));
}

/** Breaks a text between words. Only the first line has the mark, and each is indented as far as the mark is wide. */
export function wrap(mark: string, text: string, columns: number): string {
  const lines: string[] = [];
  let line = mark;
  for (const word of printable(text).split(' ')) {
    const isFirst = line.length === mark.length;
    if (!isFirst && line.length + word.length >= columns) {
      lines.push(line);
      line = ' '.repeat(mark.length) + word;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line].map((one) => `${one}\n`).join('');
}

/** Writes what was found out to standard output, as JSON or as one line for each finding. */
export function printFindings<T extends Verification>(found: T, { json = false }: { json?: boolean }): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  for (const { status, about, text, receipt } of found.findings) {
    const which = receipt === undefined ? '' : `receipt ${receipt}, `;
    printFinding(status === 'failed' ? 'FAILED' : status, `${which}${about}: ${text}`);
  }
  const refusal = refusalIn(found);
  const valid = refusal ? `Valid, with a ${refusal}.` : 'Valid.';
  const end = found.valid ? `${valid} For what is claimed, you rely on the server.` : 'Not valid.';
  process.stdout.write(`\n${end}\n`);
}

const WAITING = 'Waiting until another OTP Guard or command has started or stopped its record store.\n';

/** Says why the start or a command waits. */
export const sayWaiting = () => void process.stderr.write(WAITING);
