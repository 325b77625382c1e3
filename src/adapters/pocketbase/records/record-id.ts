import { createHash, randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 15;

/** A random record id, in the record store's own format. */
export function newRecordId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A record id made from a name: always the same for the same name, so that only one such record can exist. */
export function recordIdOf(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
