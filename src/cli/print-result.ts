import { printable } from './printable.ts';

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
