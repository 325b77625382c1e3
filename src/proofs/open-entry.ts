import { z } from 'zod';
import type { LogEvent, LogPerson, OpenedEntry } from '../contract/log-entry.ts';
import { decodeBase64url } from './bytes.ts';
import { canonical, commitTo } from './leaf.ts';

const leafSchema = z.strictObject({ v: z.literal(1), event: z.string(), person: z.string() });

/** What an entry's leaf commits to. `person` is null if it was erased. */
export type OpenedParts = { event: LogEvent; person: LogPerson | null };

/**
 * Opens an entry's leaf with its salts.
 *
 * @returns Null if a part isn't what the leaf commits to, or the event isn't about this entry or is missing: it names
 *   no people, so OTP Guard erases none, and somebody took it away to hide it.
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
