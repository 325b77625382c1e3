import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base64, base64urlnopad } from '@scure/base';
import canonicalize from 'canonicalize';

/** Null if it isn't base64url without padding, in the one way that RFC 4648 has for these bytes. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64urlnopad.decode(text));
  } catch {
    return null;
  }
}

/** Null if it isn't base64 with padding. */
export function decodeBase64(text: string): Uint8Array | null {
  try {
    return base64.decode(text);
  } catch {
    return null;
  }
}

/** The JSON value in these bytes, in UTF-8 without a byte order mark. @throws Error if there is none. */
export const parseJson = (bytes: Uint8Array): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));

/** Tells whether two byte arrays are equal. Compare only public ones: it takes less time the earlier they differ. */
export const equalBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** SHA-256, base64url, over bytes or the UTF-8 form of a text. */
export const hashBase64url = (input: Uint8Array | string): string =>
  base64urlnopad.encode(sha256(typeof input === 'string' ? utf8ToBytes(input) : input));

/** SHA-256, base64url, over the RFC 8785 form of a JSON value. @throws Error if it has none. */
export const hashJson = (value: unknown): string => hashBase64url(canonical(value));

/** The RFC 8785 form of a JSON value. @throws Error if it has none. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value has no canonical form');
  return text;
}
