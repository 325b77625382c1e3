import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

export function sha256(input: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(input).digest());
}

export function sha256Base64url(input: string | Uint8Array): string {
  return createHash('sha256').update(input).digest('base64url');
}

/** SHA-256, base64url, over the RFC 8785 form of a JSON value: equal for equal values, in any order of their members. */
export function sha256OfJson(value: unknown): string {
  const canonical = canonicalize(value);
  if (canonical === undefined) throw new Error('the value has no canonical form');
  return sha256Base64url(canonical);
}
