import { type KeyList, keyList } from '../contract/receipts.ts';
import { decodeBase64url } from './bytes.ts';

/** Reads a published key list: `/.well-known/otp-guard.json`, parsed. Null if it isn't one. `host` is an address. */
export function parseKeyList(input: unknown): KeyList | null {
  const { data } = keyList.safeParse(input);
  return data && URL.canParse(data.host) ? data : null;
}

/** The keys of a published list, without those that aren't 32 bytes. */
export function publicKeysOf({ keys }: KeyList): { id: string; publicKey: Uint8Array }[] {
  return keys.flatMap(({ id, publicKey }) => {
    const bytes = decodeBase64url(publicKey);
    return bytes?.length === 32 ? [{ id, publicKey: bytes }] : [];
  });
}
