import { createHash, randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 15;

/** A new record id, as the record store makes them. */
export function newRecordId(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** The record id of something that exists once: the same for the same name. */
export function recordIdOf(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
