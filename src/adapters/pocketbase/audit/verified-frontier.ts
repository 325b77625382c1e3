import type PocketBase from 'pocketbase';
import type { Checkpoint, SigningKeys } from '../../../audit/ports.ts';
import { type Frontier, subtreesBetween } from '../../../proofs/merkle.ts';
import { frontierOf, type LogEntryRecord, readNodes, toCheckpoint } from './log-entry-record.ts';

/** The log of an organization up to an entry: its frontier, and the checkpoint that the entry stores for it. */
export type VerifiedLog = { frontier: Frontier; checkpoint: Checkpoint };

/** `orgId` is GitHub's id of the organization. The signed log of another one is refused. */
type End = { org: string; orgId: number; last: LogEntryRecord };

/** @throws AppError `logChanged` if the stored hashes aren't what this server signed. */
export async function readVerified(
  records: PocketBase,
  keys: Pick<SigningKeys, 'published'>,
  { org, orgId, last }: End,
): Promise<VerifiedLog> {
  const size = last.entry_number;
  const numbers = subtreesBetween(0, size).map(({ end }) => end);
  const found = await readNodes(records, org, numbers);
  const frontier = frontierOf(found, size);
  return { frontier, checkpoint: toCheckpoint(last, { frontier, keys: await keys.published(), orgId }) };
}

export type VerifiedEnds = {
  /** The log up to its last entry. @throws AppError as `readVerified`. */
  read(records: PocketBase, end: End): Promise<VerifiedLog>;
  /** This process wrote it. */
  remember(org: string, end: VerifiedLog): void;
};

/**
 * The end of each organization's log that we read or wrote last: its hashes needn't be read and verified again. It's
 * known by its checkpoint, not by its record id, because after a restore an entry can get the id of one that is gone.
 */
export function createVerifiedEnds(keys: Pick<SigningKeys, 'published'>): VerifiedEnds {
  const known = new Map<string, VerifiedLog>();
  return {
    async read(records, end) {
      const { org, last } = end;
      const seen = known.get(org);
      const isKnown = seen?.checkpoint.note === last.checkpoint && seen.checkpoint.size === last.entry_number;
      if (isKnown) return seen;
      const verified = await readVerified(records, keys, end);
      known.set(org, verified);
      return verified;
    },
    remember: (org, end) => void known.set(org, end),
  };
}
