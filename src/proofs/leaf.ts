import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import { z } from 'zod';
import type { LogEvent, LogPerson, OpenedEntry } from '../contract/log-entry.ts';
import { canonical, decodeBase64url } from './bytes.ts';

/** The parts that a leaf commits to. Without its salt, a part can't be guessed from the leaf. */
type LeafParts = { event: LogEvent; person: LogPerson };

/**
 * The leaf of a log entry: the RFC 8785 form of an object that holds a commitment to each part, and nothing else. A
 * part can be erased together with its salt, and the leaf stays.
 *
 * @param salts For each part 32 random bytes, base64url.
 */
export function makeLeaf(parts: LeafParts, salts: Record<keyof LeafParts, string>): string {
  return canonical({
    v: 1,
    event: commitTo(parts.event, salts.event),
    person: commitTo(parts.person, salts.person),
  });
}

/** The commitment to a part: HMAC-SHA-256 over its RFC 8785 form under its salt, base64url. */
const commitTo = (part: unknown, salt: string): string =>
  base64urlnopad.encode(hmac(sha256, base64urlnopad.decode(salt), utf8ToBytes(canonical(part))));

/** A signed statement with its proof. `assertion` and `publicKey` are null for a one-time code. */
export type SignedProof = {
  statement: unknown;
  assertion: unknown;
  publicKey: string | null;
  /** The signed batch if several commits were approved together: null or absent if the statement itself was signed. */
  batch?: unknown;
};

/** The proof that an entry of the log commits to by its hash. Without a batch, it's as it was before there were any. */
export const signedProof = ({ statement, assertion, publicKey, batch }: SignedProof) =>
  batch === undefined || batch === null
    ? { statement, assertion, publicKey }
    : { statement, assertion, publicKey, batch };

const leafSchema = z.strictObject({ v: z.literal(1), event: z.string(), person: z.string() });

/** The parts that an entry's leaf commits to. `person` is null if it was erased. */
export type OpenedParts = { event: LogEvent; person: LogPerson | null };

/**
 * Opens an entry's leaf with its salts.
 *
 * @returns Null if a part isn't what the leaf commits to, or the event isn't about this entry or is missing: it names
 *   no people, so OTP Guard erases none, and a forger took it away to hide it.
 */
export function openEntry({ number, leaf, event, person, salts }: OpenedEntry): OpenedParts | null {
  const commitments = parseLeaf(leaf);
  const opens =
    commitments !== null &&
    event !== null &&
    isPart(event, salts.event, commitments.event) &&
    isPart(person, salts.person, commitments.person);
  return opens && event.number === number ? { event, person } : null;
}

/** A part and its salt are erased together. A salt has 32 bytes: HMAC can't tell a shorter one from one with zeros. */
function isPart(part: unknown, salt: string | null, commitment: string): boolean {
  if (part === null || salt === null) return part === salt;
  return decodeBase64url(salt)?.length === 32 && commitTo(part, salt) === commitment;
}

function parseLeaf(leaf: string): z.infer<typeof leafSchema> | null {
  try {
    const value: unknown = JSON.parse(leaf);
    return canonical(value) === leaf ? (leafSchema.safeParse(value).data ?? null) : null;
  } catch {
    return null;
  }
}
