import type PocketBase from 'pocketbase';
import type { Checkpoint, SigningKeys } from '../../audit/ports.ts';
import { type Frontier, subtreesBetween } from '../../proofs/merkle.ts';
import { frontierOf, type LogEntryRecord, readNumbered, toCheckpoint } from './log-entry-record.ts';

/**
 * The log of an organization up to an entry: its frontier, and the checkpoint that the entry stores for it.
 *
 * @param input.orgId GitHub's id of the organization. The signed log of another one is refused.
 * @throws AppError `logChanged` if the stored hashes aren't what this server signed.
 */
export async function readVerified(
  records: PocketBase,
  keys: Pick<SigningKeys, 'published'>,
  { org, orgId, last }: { org: string; orgId: number; last: LogEntryRecord },
): Promise<{ frontier: Frontier; checkpoint: Checkpoint }> {
  const size = last.entry_number;
  const numbers = subtreesBetween(0, size).map(({ end }) => end);
  const found = await readNumbered(records, org, numbers);
  const frontier = frontierOf(found, size);
  return { frontier, checkpoint: toCheckpoint(last, { frontier, keys: await keys.published(), orgId }) };
}
