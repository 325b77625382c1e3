import { createHash } from 'node:crypto';

export function sha256(input: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(input).digest());
}

export function sha256Base64url(input: string | Uint8Array): string {
  return createHash('sha256').update(input).digest('base64url');
}
