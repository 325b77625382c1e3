import { base64, base64urlnopad } from '@scure/base';
import type { Checkpoint, PublishedKey, RecordedEntry, SigningKeys } from '../../../audit/ports.ts';
import { checkpointText } from '../../../proofs/checkpoint.ts';
import { type Frontier, type Hash, rootOf, type Subtree, subtreesBetween } from '../../../proofs/merkle.ts';
import { isSignedBy, parseNote } from '../../../proofs/signed-note.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { recordsOf } from '../records/records-of.ts';

/**
 * An entry of an organization's log. `nodes` has the roots of the subtrees that its leaf completes, smallest first,
 * base64 with a space between; `checkpoint` is the one with this entry as its last.
 */
export type LogEntryRecord = RecordOf<'gh_activities'> & {
  expand?: { org?: { org_id: number }; user_id?: { github_id: number } };
};

/** The hashes of an entry. */
type NodesRecord = Pick<LogEntryRecord, 'org' | 'entry_number' | 'nodes'>;

/**
 * The hashes of the entries with these numbers, as far as they exist, in no order. Each number costs one look into
 * the index, regardless of how many entries the log has.
 */
export const readNodes = (client: StoreClient, org: string, numbers: number[]): Promise<NodesRecord[]> =>
  recordsOf<NodesRecord>(client, 'log_nodes').allOf('entry_number', numbers, { org });

/** The hash of a subtree, from the records of the entries that complete one. @throws AppError `logChanged`. */
export function nodeOf(records: NodesRecord[], { end, level }: Subtree): Hash {
  const record = records.find(({ entry_number }) => entry_number === end);
  const node = record?.nodes.split(' ')[level];
  if (!node) throw new AppError('logChanged');
  return base64.decode(node);
}

/**
 * The checkpoint of an entry, if one of our keys signed it over the tree that the stored hashes make.
 *
 * @param input.orgId GitHub's id of the organization whose log it has to be.
 * @throws AppError `logChanged`.
 */
function toCheckpoint(
  record: LogEntryRecord,
  { frontier, keys, orgId }: { frontier: Frontier; keys: PublishedKey[]; orgId: number },
): Checkpoint {
  const note = parseNote(record.checkpoint);
  // The name is the entry's own: the server may have another address by now.
  const [origin = ''] = note?.text.split('\n') ?? [];
  const { size } = frontier;
  const root = rootOf(frontier);
  const publicKeys = keys.map(({ publicKey }) => base64urlnopad.decode(publicKey));
  const isOfOrg = origin.endsWith(`/log/${orgId}`);
  const isOurs =
    isOfOrg &&
    note?.text === checkpointText({ origin, size, root }) &&
    size === record.entry_number &&
    isSignedBy(note, origin, publicKeys);
  if (!isOurs) throw new AppError('logChanged');
  return {
    origin,
    size,
    root: base64.encode(root),
    note: record.checkpoint,
    at: new Date(record.event?.at ?? record.created),
  };
}

/** @param record Read with the user of `expand`, if `userGithubId` is needed. */
export function toEntry({ entry_number: number, expand, ...record }: LogEntryRecord): RecordedEntry {
  const { id, leaf, event, person, activity, data, subject, nodes, checkpoint } = record;
  const salts = { event: record.salts?.event ?? null, person: record.salts?.person ?? null };
  const userGithubId = expand?.user_id?.github_id ?? null;
  const at = new Date(event?.at ?? record.created);
  return {
    number,
    id,
    leaf,
    event,
    person,
    salts,
    activity,
    data,
    subject,
    userGithubId,
    nodes,
    checkpoint,
    at,
  };
}

/** The log of an organization up to an entry: its frontier, and the checkpoint that the entry stores for it. */
type VerifiedLog = { frontier: Frontier; checkpoint: Checkpoint };

/** `orgId` is GitHub's id of the organization. The signed log of another one is refused. */
type End = { org: string; orgId: number; last: LogEntryRecord };

/** @throws AppError `logChanged` if the stored hashes aren't what this server signed. */
export async function readVerified(
  client: StoreClient,
  signingKeys: Pick<SigningKeys, 'published'>,
  { org, orgId, last }: End,
): Promise<VerifiedLog> {
  const size = last.entry_number;
  const subtrees = subtreesBetween(0, size);
  const numbers = subtrees.map(({ end }) => end);
  const [found, keys] = await Promise.all([readNodes(client, org, numbers), signingKeys.published()]);
  const frontier = { size, roots: subtrees.map((subtree) => nodeOf(found, subtree)) };
  return { frontier, checkpoint: toCheckpoint(last, { frontier, keys, orgId }) };
}
