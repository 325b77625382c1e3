import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { base64 } from '@scure/base';
import type { LogEvent, LogPerson, OpenedEntry } from '../../src/contract/log-entry.ts';
import type { KeyList, LogExport } from '../../src/contract/receipts.ts';
import { checkpointText, logOrigin } from '../../src/proofs/checkpoint.ts';
import { preAuthEncoding } from '../../src/proofs/dsse.ts';
import { makeLeaf } from '../../src/proofs/leaf.ts';
import {
  appendLeaf,
  EMPTY,
  EMPTY_ROOT,
  type Hash,
  hashLeaf,
  hashNode,
  rootOf,
  subtreesBetween,
} from '../../src/proofs/merkle.ts';
import { writeNote } from '../../src/proofs/signed-note.ts';

export const HOST = 'https://guard.example.org';
export const ORG = { id: 9, login: 'octo-org' };

/** A server's signing key. */
export function signingKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const id = createHash('sha256').update(raw).digest('hex').slice(0, 16);
  const signNow = (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey));
  return { id, publicKey: new Uint8Array(raw), sign: signNow };
}

export type Entry = OpenedEntry & { checkpoint: string };
type Facts = { event?: LogEvent['facts']; person?: LogPerson['facts']; personData?: LogPerson['data'] };

/** The hash of a tree as RFC 6962 defines it, section 2.1: by splitting it. */
export function treeHash(leaves: Hash[]): Hash {
  if (leaves.length <= 1) return leaves[0] ?? EMPTY_ROOT;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return hashNode(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

/** The audit path of leaf `index` as RFC 6962 defines it, section 2.1.1. */
export function auditPath(leaves: Hash[], index: number): Hash[] {
  if (leaves.length <= 1) return [];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...auditPath(left, index), treeHash(right)]
    : [...auditPath(right, index - split), treeHash(left)];
}

/** An organization's log with real keys, and proofs by the definitions of RFC 6962 instead of our own algorithms. */
export class TestLog {
  readonly key: ReturnType<typeof signingKey>;
  readonly keyList: KeyList;
  readonly origin = logOrigin(HOST, ORG.id);
  readonly entries: Entry[] = [];
  readonly leaves: Hash[] = [];
  #frontier = EMPTY;

  constructor(key = signingKey()) {
    this.key = key;
    const publicKey = Buffer.from(key.publicKey).toString('base64url');
    this.keyList = { host: HOST, version: '1', keys: [{ id: key.id, type: 'ed25519', publicKey }] };
  }

  add(
    activity: string,
    data: LogEvent['data'] = {},
    { event = {}, person = {}, personData = {} }: Facts = {},
  ): number {
    const number = this.entries.length + 1;
    const at = new Date(Date.UTC(2026, 10, 1) + number * 1000).toISOString();
    const parts = {
      event: { v: 1 as const, log: this.origin, number, at, activity, data, facts: event },
      person: { data: personData, facts: person },
    };
    const salts = {
      event: randomBytes(32).toString('base64url'),
      person: randomBytes(32).toString('base64url'),
    };
    const leaf = makeLeaf(parts, salts);
    this.#append({ number, leaf, ...parts, salts });
    return number;
  }

  /** A log with the same entries up to a number, and the same key: what a server can rewrite the rest of. */
  fork(until: number): TestLog {
    const fork = new TestLog(this.key);
    for (const { checkpoint: _checkpoint, ...entry } of this.entries.slice(0, until)) fork.#append(entry);
    return fork;
  }

  #append(entry: OpenedEntry): void {
    const hash = hashLeaf(Buffer.from(entry.leaf));
    this.leaves.push(hash);
    this.#frontier = appendLeaf(this.#frontier, hash).frontier;
    const checkpoint = this.note({ size: entry.number, root: rootOf(this.#frontier) });
    this.entries.push({ ...entry, checkpoint });
  }

  note({ size, root }: { size: number; root: Hash }, key = this.key, origin = this.origin): string {
    const text = checkpointText({ origin, size, root });
    return writeNote(text, {
      name: origin,
      publicKey: key.publicKey,
      signature: key.sign(Buffer.from(text)),
    });
  }

  checkpoint(size = this.entries.length): string {
    return this.entries[size - 1]?.checkpoint ?? '';
  }

  /** An entry with its audit path in the log of `size` entries. */
  included(number: number, size = this.entries.length) {
    const { checkpoint: _checkpoint, ...entry } = this.entries[number - 1] as Entry;
    return { ...entry, path: encode(auditPath(this.leaves.slice(0, size), number - 1)) };
  }

  export({ from = 1, to = this.entries.length, size = this.entries.length } = {}): LogExport {
    const leaves = this.leaves.slice(0, size);
    const roots = subtreesBetween(0, from - 1).map(({ end, level }) =>
      treeHash(leaves.slice(end - 2 ** level, end)),
    );
    const path = auditPath(leaves, to - 1);
    // On the right of the last entry are those hashes that depend on later leaves.
    const changed = auditPath([...leaves.slice(0, to), ...leaves.slice(to).map(() => EMPTY_ROOT)], to - 1);
    return {
      version: 1,
      log: this.origin,
      org: { id: ORG.id },
      checkpoint: this.checkpoint(size),
      left: encode(roots),
      entries: structuredClone(this.entries.slice(from - 1, to)),
      right: encode(path.filter((hash, at) => !Buffer.from(hash).equals(changed[at] ?? new Uint8Array()))),
    };
  }

  /** The DSSE envelope of a statement, or of a text as it is. */
  envelope(statement: unknown, key = this.key) {
    const payloadType = 'application/vnd.in-toto+json' as const;
    const payload = Buffer.from(typeof statement === 'string' ? statement : JSON.stringify(statement));
    const sig = Buffer.from(key.sign(preAuthEncoding(payloadType, payload))).toString('base64');
    return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid: key.id, sig }] };
  }
}

const encode = (hashes: Hash[]) => hashes.map((hash) => base64.encode(hash));
