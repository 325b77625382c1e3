import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import { decodeBase64, equalBytes } from './bytes.ts';

/** A text with signatures: C2SP signed-note. `text` ends with a newline. */
export type SignedNote = {
  text: string;
  signatures: { name: string; id: Uint8Array; signature: Uint8Array }[];
};

const ED25519 = 0x01;
const LONGEST = 64 * 1024;
const LINE = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/u;

/** The four bytes that name a key in a signature: C2SP signed-note, "Ed25519 signatures". */
export const noteKeyId = (name: string, publicKey: Uint8Array): Uint8Array =>
  sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(ED25519), publicKey)).slice(0, 4);

/** @param signature Ed25519 over the UTF-8 form of `text`. */
export function writeNote(
  text: string,
  by: { name: string; publicKey: Uint8Array; signature: Uint8Array },
): string {
  const line = base64.encode(concatBytes(noteKeyId(by.name, by.publicKey), by.signature));
  return `${text}\n— ${by.name} ${line}\n`;
}

/** Null if this isn't a signed note. Nothing is verified. */
export function parseNote(note: string): SignedNote | null {
  if (note.length > LONGEST || hasControlCharacter(note)) return null;
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) return null;
  const lines = note.slice(split + 2, -1).split('\n');
  const signatures = lines.map(parseLine);
  if (signatures.some((one) => one === null)) return null;
  return { text: note.slice(0, split + 1), signatures: signatures as SignedNote['signatures'] };
}

/**
 * Tells whether one of these keys, under this name, signed the note. A signature of a known key that doesn't verify
 * spoils the note; those of unknown keys say nothing.
 */
export function isSignedBy(note: SignedNote, name: string, publicKeys: Uint8Array[]): boolean {
  const ofKnown = note.signatures.flatMap((one) =>
    publicKeys
      .filter((key) => one.name === name && equalBytes(one.id, noteKeyId(name, key)))
      .map((key) => ({ key, signature: one.signature })),
  );
  const text = utf8ToBytes(note.text);
  return ofKnown.length > 0 && ofKnown.every(({ key, signature }) => verifyEd25519(signature, text, key));
}

/** Ed25519 as RFC 8032 has it; false instead of an error for what is no signature or no key. */
export function verifyEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

function parseLine(line: string): SignedNote['signatures'][number] | null {
  const [, name, encoded] = LINE.exec(line) ?? [];
  if (name === undefined || encoded === undefined) return null;
  const bytes = decodeBase64(encoded);
  return bytes && bytes.length > 4 ? { name, id: bytes.slice(0, 4), signature: bytes.slice(4) } : null;
}

/** Control characters are those below U+0020, other than a newline. */
const hasControlCharacter = (text: string) => Array.from(text).some((sign) => sign < ' ' && sign !== '\n');
