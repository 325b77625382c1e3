import { randomBytes } from 'node:crypto';
import { base64, base64urlnopad } from '@scure/base';
import { logParts } from '../../audit/log-parts.ts';
import type { NewActivity, SigningKey } from '../../audit/ports.ts';
import { checkpointText } from '../../proofs/checkpoint.ts';
import { makeLeaf } from '../../proofs/leaf.ts';
import { appendLeaf, type Frontier, hashLeaf, rootOf } from '../../proofs/merkle.ts';
import { writeNote } from '../../proofs/signed-note.ts';
import { asStored } from './as-stored.ts';

/** The record of a log's next entry, and the log with it. */
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
  const text = checkpointText({ origin, size: number, root: rootOf(appended.frontier) });
  const signature = key.sign(Buffer.from(text));
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
    checkpoint: writeNote(text, {
      name: origin,
      publicKey: base64urlnopad.decode(key.publicKey),
      signature,
    }),
  };
  return { fields, frontier: appended.frontier };
}

const newSalt = () => randomBytes(32).toString('base64url');
