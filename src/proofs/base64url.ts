import { base64urlnopad } from '@scure/base';

/** Null if it isn't base64url without padding, in the one way that RFC 4648 has for these bytes. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64urlnopad.decode(text));
  } catch {
    return null;
  }
}
