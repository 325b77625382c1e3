import { type ExportedEntry, exportedEntry } from '../contract/log-entry.ts';
import type { LogExport } from '../contract/receipts.ts';
import { equalBytes } from './bytes.ts';
import { decodeHash } from './checkpoint.ts';
import { claimed, type Finding, failed, proved } from './findings.ts';
import {
  EMPTY,
  EMPTY_ROOT,
  type Frontier,
  type Hash,
  rootFromPath,
  rootOf,
  siblingsOf,
  subtreesBetween,
} from './merkle.ts';
import { appendEntry, count, countEntries, readCheckpoint, type TrustedCheckpoint } from './trusted-log.ts';

/** A part of an exported log whose entries aren't read yet. */
export type ExportPart = Omit<LogExport, 'entries'> & { entries: unknown[] };

type Keys = { publicKey: Uint8Array }[];

const MOST_NAMED = 20;

/** The log that the files say, as far as it fits. */
export type AuditedLog = {
  org: number;
  /** The sizes of the log that the files cover: before their first entry, and after their last fitting entry. */
  from: number;
  to: number;
  /** The root of the log at each size of a checkpoint in between. */
  roots: Map<number, Hash>;
  /** The largest checkpoint of the files that a published key signed; 0 if there is none. */
  size: number;
  findings: Finding[];
  /** The number of the first entry that differs. */
  differs: number | null;
};

/** The state while the entries are read in order. `before` is the log without the newest of them. */
type Walk = AuditedLog & {
  frontier: Frontier;
  before: Frontier;
  /** The hash of the newest one's leaf. */
  leaf: Hash;
  isBegun: boolean;
  erased: number[];
  sizes: ReadonlySet<number>;
  keys: Keys;
};

/**
 * Verifies the parts of an exported log in their order, entry by entry, up to the first that differs.
 *
 * @param sizes At which the log will be compared with other checkpoints.
 */
export function auditParts(
  parts: ExportPart[],
  { keys, sizes }: { keys: Keys; sizes: ReadonlySet<number> },
): AuditedLog {
  const from = (numberOf(parts.find(({ entries }) => entries.length > 0)?.entries[0]) ?? 1) - 1;
  const walk: Walk = {
    org: parts[0]?.org.id ?? 0,
    from,
    to: from,
    size: 0,
    roots: new Map(),
    findings: [],
    differs: null,
    frontier: EMPTY,
    before: EMPTY,
    leaf: EMPTY_ROOT,
    isBegun: false,
    erased: [],
    sizes,
    keys,
  };
  for (const [at, part] of parts.entries()) {
    if (!readPart(walk, part, at + 1)) break;
  }
  walk.findings.push(...describe(walk));
  return walk;
}

/** @returns False if something differs: later entries can't be compared. */
function readPart(walk: Walk, part: ExportPart, file: number): boolean {
  const own = readCheckpoint(part.checkpoint, walk.keys);
  if (!own) return stop(walk, null, `No published key signed the checkpoint of file ${file}.`);
  if (part.log !== own.origin || own.org !== walk.org || part.org.id !== walk.org)
    return stop(walk, null, `File ${file} is the log of another organization.`);
  walk.size = Math.max(walk.size, own.size);
  if (part.entries.length === 0) return true;
  const first = numberOf(part.entries[0]) ?? walk.frontier.size + 1;
  return (
    readLeft(walk, { left: part.left.map(decodeHash), first }) &&
    part.entries.every((entry) => readEntry(walk, entry)) &&
    readRight(walk, { right: part.right.map(decodeHash), own })
  );
}

/** The number of an entry that isn't verified yet; null if it has none. */
function numberOf(entry: unknown): number | null {
  return exportedEntry.shape.number.safeParse((entry as { number?: unknown } | null)?.number).data ?? null;
}

/** The log before a part's first entry. */
function readLeft(walk: Walk, { left, first }: { left: (Hash | null)[]; first: number }): boolean {
  const size = first - 1;
  if (left.includes(null) || left.length !== subtreesBetween(0, size).length)
    return stop(
      walk,
      left.length === 0 ? 1 : first,
      `What comes before entry ${count(first)} isn’t a log of ${count(size)} entries.`,
    );
  const frontier = { size, roots: left as Hash[] };
  if (!walk.isBegun) walk.frontier = frontier;
  walk.isBegun = true;
  // If the sizes differ, an entry is missing or comes twice: the next step names it.
  if (walk.frontier.size !== size || equalBytes(rootOf(walk.frontier), rootOf(frontier))) return true;
  return stop(
    walk,
    first,
    `The file of entry ${count(first)} begins with another log than the one before it.`,
  );
}

function readEntry(walk: Walk, input: unknown): boolean {
  const number = walk.frontier.size + 1;
  const found = numberOf(input);
  if (found !== null && found !== number) return stop(walk, number, misplaced(number, found));
  if (!exportedEntry.safeParse(input).success)
    return stop(walk, number, `Entry ${count(number)} can’t be read.`);
  const entry = input as ExportedEntry;
  const appended = appendEntry(entry, { ...walk, before: walk.frontier });
  if (typeof appended === 'string') return stop(walk, number, appended);
  walk.before = walk.frontier;
  walk.frontier = appended.frontier;
  walk.leaf = appended.completed[0] as Hash;
  walk.to = number;
  if (entry.person === null) walk.erased.push(number);
  for (const part of [walk.before, walk.frontier])
    if (walk.sizes.has(part.size)) walk.roots.set(part.size, rootOf(part));
  return true;
}

const misplaced = (expected: number, found: number) =>
  found > expected
    ? `Entry ${count(expected)} is missing: entry ${count(found)} is in its place.`
    : `In the place of entry ${count(expected)} there is entry ${count(found)} again.`;

/** The log after a part's last entry, up to the part's own checkpoint. */
function readRight(walk: Walk, { right, own }: { right: (Hash | null)[]; own: TrustedCheckpoint }): boolean {
  const number = walk.to;
  if (own.size <= number) {
    if (own.size === number && equalBytes(rootOf(walk.frontier), own.root)) return true;
    return stop(walk, number, `The file’s checkpoint isn’t that of the log with entry ${count(number)}.`);
  }
  const path = right.includes(null)
    ? null
    : lastPath(walk.before, { number, size: own.size, right: right as Hash[] });
  const root = path && rootFromPath(walk.leaf, { number, size: own.size, path });
  if (root && equalBytes(root, own.root)) {
    if (!walk.roots.has(own.size)) walk.roots.set(own.size, own.root);
    return true;
  }
  const text = `The checkpoint has ${count(own.size)} entries, and these don’t lead to it.`;
  return stop(walk, number + 1, `Entry ${count(number + 1)} or a later one is missing or differs. ${text}`);
}

/** The audit path of the last entry: what's left of it are the subtrees of the log before it. */
function lastPath(
  before: Frontier,
  { number, size, right }: { number: number; size: number; right: Hash[] },
): Hash[] | null {
  const siblings = siblingsOf(number, size);
  const left = [...before.roots];
  const rest = [...right];
  const path = siblings.map(({ isLeft }) => (isLeft ? left.pop() : rest.shift()));
  return rest.length > 0 || path.includes(undefined) ? null : (path as Hash[]);
}

function stop(walk: Walk, number: number | null, text: string): false {
  walk.differs = number;
  walk.findings.push(failed(number === null ? 'export' : 'entry', text));
  return false;
}

function describe({ from, to, size, erased, findings }: Walk): Finding[] {
  const isWhole = findings.length === 0;
  if (to === from) return isWhole ? [failed('export', 'The files have no entries.')] : [];
  const which = `${countEntries(to - from)}, ${count(from + 1)} to ${count(to)}`;
  const found = [
    proved(
      'entries',
      `${which}: all of them fit their leaves, follow each other and have signed checkpoints.`,
    ),
    ...(erased.length === 0 ? [] : [claimed('erased', erasedText(erased))]),
  ];
  if (!isWhole) return found;
  found.push(proved('log', `They’re part of the log of ${countEntries(size)} that a published key signed.`));
  if (to < size || from > 0)
    found.push(
      claimed('log', `These files don’t have the other ${countEntries(size - to + from)} of the log.`),
    );
  return found;
}

/** Names the entries: nobody can tell an erased person from a person who was taken away to hide them. */
function erasedText(numbers: number[]): string {
  const named = numbers.slice(0, MOST_NAMED).map(count).join('; ');
  const more = numbers.length > MOST_NAMED ? '; …' : '';
  const which = countEntries(numbers.length);
  return `${which} had a person erased. Every leaf is still there: ${named}${more}`;
}
