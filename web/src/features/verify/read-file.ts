import { inTime } from '../../lib/api/api-client.ts';
/** The kind of a file, by its content, which is checked later. */
export type ReadFile =
  | { kind: 'receipt' | 'bundle' | 'export' | 'keys'; name: string; value: object }
  | { kind: 'text'; name: string; value: string }
  | { kind: 'unusable'; name: string; problem: string };

/** About 30,000 log entries. A browser keeps the whole file in memory. */
const MOST_MEGABYTES = 64;
/** The summary of a check run has at most 65,535 characters. */
const MOST_TEXT = 1_000_000;

export const KIND_NAMES: Record<ReadFile['kind'], string> = {
  receipt: 'Receipt',
  bundle: 'Receipts',
  export: 'Log export',
  keys: 'Key list',
  text: 'Checkpoints',
  unusable: "Can't be used",
};

/** Reads a file that a person chose. Never rejects. */
export async function readFile(file: Pick<File, 'name' | 'size' | 'text'>): Promise<ReadFile> {
  const { name, size } = file;
  if (size > MOST_MEGABYTES * 2 ** 20) {
    const problem = `This file is larger than ${MOST_MEGABYTES} MB. Check it with the program otp-guard instead.`;
    return { kind: 'unusable', name, problem };
  }
  const text = await file.text().catch(() => null);
  if (text === null) return { kind: 'unusable', name, problem: "Your browser couldn't read this file." };
  return readText(name, text);
}

export function readText(name: string, text: string): ReadFile {
  const value = parseJson(text);
  if (value === undefined) return readPlain(name, text);
  const has = (...members: string[]) => members.every((member) => Object.hasOwn(value, member));
  if (has('payload', 'signatures')) return { kind: 'receipt', name, value };
  if (has('receipts') && Array.isArray(Reflect.get(value, 'receipts')))
    return { kind: 'bundle', name, value };
  if (has('entries', 'checkpoint')) return { kind: 'export', name, value };
  if (has('keys', 'host')) return { kind: 'keys', name, value };
  const problem = "This isn't a receipt, a file of receipts, a log export or a key list.";
  return { kind: 'unusable', name, problem };
}

/** Checkpoints are no JSON; a file without one is most likely a receipt that was cut off or changed. */
function readPlain(name: string, text: string): ReadFile {
  if (text.length <= MOST_TEXT && /^\s*— \S+ \S+$/mu.test(text)) return { kind: 'text', name, value: text };
  const problem =
    "This file isn't JSON, and has no checkpoint in it. Was it cut off, or changed by an editor?";
  return { kind: 'unusable', name, problem };
}

/** Undefined if it isn't the text of an object. */
function parseJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** This server's published key list, unchecked; null if there is no answer. Asks without saying for what. */
export async function fetchKeys(signal: AbortSignal): Promise<unknown> {
  try {
    const request = inTime({ credentials: 'omit', cache: 'no-store', signal });
    const response = await fetch('/.well-known/otp-guard.json', request);
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
