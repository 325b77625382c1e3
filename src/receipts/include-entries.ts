import type { Checkpoint, LogReader, StoredEntry } from '../audit/ports.ts';
import type { EnrolmentLink } from '../contract/receipts.ts';
import { openEntry } from '../proofs/leaf.ts';
import { hashLeaf, rootFromPath } from '../proofs/merkle.ts';
import { AppError } from '../shared/app-error.ts';

export type IncludedEntry = NonNullable<EnrolmentLink['registration']>;

/**
 * Reads the audit paths of these entries in the log of a checkpoint, all at once.
 *
 * @returns What adds an entry's path to it.
 * @throws AppError `logChanged` if an entry or a path isn't the one that the checkpoint signs.
 */
export async function includeEntries(
  log: Pick<LogReader, 'paths'>,
  { org, checkpoint, entries }: { org: string; checkpoint: Checkpoint; entries: StoredEntry[] },
): Promise<(entry: StoredEntry) => IncludedEntry> {
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  const paths = await log.paths(org, [...byNumber.keys()], checkpoint.size);
  const included = new Map(
    [...byNumber.values()].map((entry, at) => [entry.number, toIncluded(entry, paths[at] ?? [], checkpoint)]),
  );
  return ({ number }) => {
    const found = included.get(number);
    if (!found) throw new AppError('logChanged');
    return found;
  };
}

function toIncluded(
  { number, leaf, event, person, salts }: StoredEntry,
  path: string[],
  { size, root }: Checkpoint,
): IncludedEntry {
  const bytes = path.map((hash) => new Uint8Array(Buffer.from(hash, 'base64')));
  const found = rootFromPath(hashLeaf(Buffer.from(leaf)), { number, size, path: bytes });
  const isInLog = found !== null && Buffer.from(found).toString('base64') === root;
  if (!isInLog || !openEntry({ number, leaf, event, person, salts })) throw new AppError('logChanged');
  return { number, leaf, event, person, salts, path };
}
