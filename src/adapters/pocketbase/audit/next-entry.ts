import { randomBytes } from 'node:crypto';
import { base64, base64urlnopad } from '@scure/base';
import { logParts } from '../../../audit/log-parts.ts';
import type { Checkpoint, NewActivity, SigningKey } from '../../../audit/ports.ts';
import { checkpointText } from '../../../proofs/checkpoint.ts';
import { makeLeaf } from '../../../proofs/leaf.ts';
import { appendLeaf, type Frontier, hashLeaf, rootOf } from '../../../proofs/merkle.ts';
import { writeNote } from '../../../proofs/signed-note.ts';
import { asStored } from '../records/as-stored.ts';

/** The record of a log's next entry, and the log with it as its last. */
export function nextEntry(
  activity: NewActivity,
  { origin, frontier, now, key }: { origin: string; frontier: Frontier; now: Date; key: SigningKey },
) {
  const { userId, orgRecordId, subject = '', data } = activity;
  const number = frontier.size + 1;
  const parts = asStored(logParts(activity, { log: origin, number, at: now }));
  const salts = { event: newSalt(), person: newSalt() };
  const leaf = makeLeaf(parts, salts);
  const appended = appendLeaf(frontier, hashLeaf(Buffer.from(leaf)));
  const root = rootOf(appended.frontier);
  const text = checkpointText({ origin, size: number, root });
  const signature = key.sign(Buffer.from(text));
  const publicKey = base64urlnopad.decode(key.publicKey);
  const note = writeNote(text, { name: origin, publicKey, signature });
  const checkpoint: Checkpoint = { origin, size: number, root: base64.encode(root), note, at: now };
  const fields = {
    activity: activity.activity,
    user_id: userId,
    org: orgRecordId,
    data,
    entry_number: number,
    subject,
    leaf,
    ...parts,
    salts,
    nodes: appended.completed.map((node) => base64.encode(node)).join(' '),
    checkpoint: note,
  };
  return { fields, log: { frontier: appended.frontier, checkpoint } };
}

const newSalt = () => randomBytes(32).toString('base64url');
