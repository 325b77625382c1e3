import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import canonicalize from 'canonicalize';
import type { LogEvent, LogPerson, LogSalts } from '../contract/log-entry.ts';

/** What a leaf commits to. Without its salt, a part can't be guessed from the leaf. */
export type LeafParts = { event: LogEvent; person: LogPerson };

/**
 * The leaf of a log entry: the RFC 8785 form of an object that holds a commitment to each part, and nothing else. A
 * part can be erased together with its salt, and the leaf stays.
 */
export function makeLeaf(parts: LeafParts, salts: LogSalts): string {
  return canonical({
    v: 1,
    event: commitTo(parts.event, salts.event),
    person: commitTo(parts.person, salts.person),
  });
}

/** The commitment to a part: HMAC-SHA-256 over its RFC 8785 form under its salt, base64url. */
export const commitTo = (part: unknown, salt: string): string =>
  base64urlnopad.encode(hmac(sha256, base64urlnopad.decode(salt), utf8ToBytes(canonical(part))));

/** The RFC 8785 form of a JSON value. @throws Error if it has none. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value has no canonical form');
  return text;
}
