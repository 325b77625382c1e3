import { base64, base64urlnopad } from '@scure/base';
import { checkpointText } from '../proofs/checkpoint.ts';
import { canonical } from '../proofs/leaf.ts';
import { appendLeaf, type Frontier, hashLeaf, rootOf } from '../proofs/merkle.ts';
import { openEntry } from '../proofs/open-entry.ts';
import { isSignedBy, parseNote } from '../proofs/signed-note.ts';
import type { PublishedKey, RecordedEntry } from './ports.ts';

export type LogKeys = Pick<PublishedKey, 'publicKey'>[];

/**
 * Compares a stored entry with the log before it.
 *
 * @returns The log with this entry, or null if the entry isn't as OTP Guard wrote it. An erased person isn't a change.
 */
export function checkEntry(
  entry: RecordedEntry,
  { before, orgId, keys }: { before: Frontier; orgId: number; keys: LogKeys },
): Frontier | null {
  try {
    if (entry.number !== before.size + 1 || !openEntry(entry) || !isShown(entry)) return null;
    const { frontier, completed } = appendLeaf(before, hashLeaf(utf8(entry.leaf)));
    const nodes = completed.map((node) => base64.encode(node)).join(' ');
    return entry.nodes === nodes && isSigned(entry, { frontier, orgId, keys }) ? frontier : null;
  } catch {
    // What has no canonical form, or lacks a field, isn't ours.
    return null;
  }
}

/** Whether the dashboard shows of the entry what its leaf commits to. */
function isShown({ number, activity, data, event, person, subject, userGithubId }: RecordedEntry): boolean {
  if (!event || event.number !== number || event.activity !== activity) return false;
  if (canonical(data ?? {}) !== canonical({ ...event.data, ...person?.data })) return false;
  const { by, credential } = person?.facts ?? {};
  const isByThem = !by || userGithubId === null || by.id === userGithubId;
  const isOfCredential =
    !credential || !subject.startsWith('credential:') || subject === `credential:${credential.idSha256}`;
  return isByThem && isOfCredential;
}

function isSigned(
  { checkpoint, event }: RecordedEntry,
  { frontier, orgId, keys }: { frontier: Frontier; orgId: number; keys: LogKeys },
): boolean {
  const note = parseNote(checkpoint);
  const origin = event?.log ?? '';
  return (
    note !== null &&
    origin.endsWith(`/log/${orgId}`) &&
    note.text === checkpointText({ origin, size: frontier.size, root: rootOf(frontier) }) &&
    isSignedBy(
      note,
      origin,
      keys.map(({ publicKey }) => base64urlnopad.decode(publicKey)),
    )
  );
}

const utf8 = (text: string) => new TextEncoder().encode(text);
