import { base64urlnopad } from '@scure/base';
import { type KeyList, keyList } from '../contract/receipts.ts';

/** Reads a published key list: `/.well-known/otp-guard.json`, parsed. Null if it isn't one. */
export function parseKeyList(input: unknown): KeyList | null {
  return keyList.safeParse(input).data ?? null;
}

/** The keys of a published list, without those that aren't 32 bytes. */
export function publicKeysOf({ keys }: KeyList): { id: string; publicKey: Uint8Array }[] {
  return keys.flatMap(({ id, publicKey }) => {
    const bytes = decodeBase64url(publicKey);
    return bytes?.length === 32 ? [{ id, publicKey: bytes }] : [];
  });
}

/** Null if it isn't base64url without padding. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(base64urlnopad.decode(text));
  } catch {
    return null;
  }
}
