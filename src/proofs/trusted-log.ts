import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { ExportedEntry, OpenedEntry } from '../contract/log-entry.ts';
import { type KeyList, keyList } from '../contract/receipts.ts';
import { decodeBase64url, equalBytes } from './bytes.ts';
import { type CheckpointBody, decodeHash, parseCheckpoint } from './checkpoint.ts';
import { type OpenedParts, openEntry } from './leaf.ts';
import { appendLeaf, type Frontier, type Hash, hashLeaf, rootFromPath, rootOf } from './merkle.ts';
import { isSignedBy } from './signed-note.ts';

/** A checkpoint whose signature verified. */
export type TrustedCheckpoint = CheckpointBody & { org: number };

/** Reads a checkpoint that one of these keys signed; null if none of them did. */
export function readCheckpoint(text: string, keys: { publicKey: Uint8Array }[]): TrustedCheckpoint | null {
  const parsed = parseCheckpoint(text);
  const org = parsed && orgOf(parsed.body.origin);
  if (!parsed || org === null) return null;
  const publicKeys = keys.map(({ publicKey }) => publicKey);
  return isSignedBy(parsed.note, parsed.body.origin, publicKeys) ? { ...parsed.body, org } : null;
}

/** GitHub's id of the organization whose log has this name; null if it isn't the name of a log. */
export function orgOf(origin: string): number | null {
  const [, org] = /^[^\s/+]+\/log\/([1-9]\d{0,14})$/.exec(origin) ?? [];
  return org === undefined ? null : Number(org);
}

/**
 * Opens an entry and follows its audit path.
 *
 * @returns The parts of the entry, or a sentence that says why it doesn't fit.
 */
export function openIncluded(
  entry: OpenedEntry & { path: string[] },
  log: TrustedCheckpoint,
): OpenedParts | string {
  const { number, leaf } = entry;
  const parts = openEntry(entry);
  if (!parts) return `Entry ${number} of the log isn’t what its leaf commits to.`;
  if (orgOf(parts.event.log) !== log.org) return `Entry ${number} belongs to another log.`;
  const path = entry.path.map(decodeHash);
  const root = path.includes(null)
    ? null
    : rootFromPath(hashLeaf(utf8ToBytes(leaf)), { number, size: log.size, path: path as Hash[] });
  if (root && equalBytes(root, log.root)) return parts;
  return `The audit path of entry ${number} doesn’t lead to the root of the checkpoint.`;
}

/**
 * Appends an entry to the log before it, if its leaf and its checkpoint fit.
 *
 * @returns The result of `appendLeaf`, or a sentence that says why the entry doesn't fit.
 */
export function appendEntry(
  entry: ExportedEntry,
  { before, org, keys }: { before: Frontier; org: number; keys: { publicKey: Uint8Array }[] },
): ReturnType<typeof appendLeaf> | string {
  const name = `Entry ${count(entry.number)}`;
  const appended = appendLeaf(before, hashLeaf(utf8ToBytes(entry.leaf)));
  const own = parseCheckpoint(entry.checkpoint)?.body;
  if (!own || own.size !== entry.number || orgOf(own.origin) !== org)
    return `${name} has the checkpoint of another entry or log.`;
  if (!equalBytes(own.root, rootOf(appended.frontier)))
    return `${name} differs: its checkpoint has another root than the entries up to it.`;
  if (!readCheckpoint(entry.checkpoint, keys))
    return `No published key signed the checkpoint of ${name.toLowerCase()}.`;
  const opened = openEntry(entry);
  if (!opened) return `${name} differs: its content isn’t what its leaf commits to.`;
  if (opened.event.log !== own.origin) return `${name} belongs to another log.`;
  return appended;
}

/** A number as a sentence has it: 1,204. */
export const count = (number: number): string => number.toLocaleString('en-US');

/** `1 check` or `1,204 checks`. */
export const countOf = (number: number, one: string): string =>
  `${count(number)} ${number === 1 ? one : `${one}s`}`;

/** `1 entry` or `1,204 entries`. */
export const countEntries = (number: number): string =>
  `${count(number)} ${number === 1 ? 'entry' : 'entries'}`;

/** Reads a published key list: `/.well-known/otp-guard.json`, parsed. Null if it isn't one. `host` is an address. */
export function parseKeyList(input: unknown): KeyList | null {
  const { data } = keyList.safeParse(input);
  return data && URL.canParse(data.host) ? data : null;
}

/** The refusal to verify a file without a list of keys. */
export const NO_KEYS =
  'Without the published key list nothing can be verified: a key that comes with a file proves nothing. Save the ' +
  'server’s /.well-known/otp-guard.json and give that file.';

/** The keys of a published list, without keys that aren't 32 bytes. */
export function publicKeysOf({ keys }: KeyList): { id: string; publicKey: Uint8Array }[] {
  return keys.flatMap(({ id, publicKey }) => {
    const bytes = decodeBase64url(publicKey);
    return bytes?.length === 32 ? [{ id, publicKey: bytes }] : [];
  });
}
