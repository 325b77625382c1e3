import type PocketBase from 'pocketbase';
import type { Checkpoint, SigningKeys } from '../../audit/ports.ts';
import { type Frontier, subtreesBetween } from '../../proofs/merkle.ts';
import { frontierOf, type LogEntryRecord, toCheckpoint } from './log-entry-record.ts';

/**
 * The log of an organization up to an entry: its frontier, and the checkpoint that the entry stores for it.
 *
 * @throws AppError `logChanged` if the stored hashes aren't what this server signed.
 */
export async function readVerified(
  records: PocketBase,
  keys: Pick<SigningKeys, 'published'>,
  { org, last }: { org: string; last: LogEntryRecord },
): Promise<{ frontier: Frontier; checkpoint: Checkpoint }> {
  const size = last.entry_number;
  const ends = subtreesBetween(0, size).map(({ end }) => records.filter('entry_number = {:end}', { end }));
  const found = await records.collection('gh_activities').getList<LogEntryRecord>(1, ends.length, {
    filter: `${records.filter('org = {:org}', { org })} && (${ends.join(' || ')})`,
    fields: 'id,entry_number,nodes',
    skipTotal: true,
  });
  const frontier = frontierOf(found.items, size);
  return { frontier, checkpoint: toCheckpoint(last, { frontier, keys: await keys.published() }) };
}
