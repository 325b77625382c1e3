import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { base64, base64urlnopad } from '@scure/base';
import type PocketBase from 'pocketbase';
import { type BatchService, ClientResponseError } from 'pocketbase';
import { logParts } from '../../../audit/log-parts.ts';
import type { Checkpoint, Effects, NewActivity, SigningKey, SigningKeys } from '../../../audit/ports.ts';
import type { Sealer } from '../../../authenticators/seal.ts';
import { checkpointText, logOrigin } from '../../../proofs/checkpoint.ts';
import { makeLeaf } from '../../../proofs/leaf.ts';
import { appendLeaf, EMPTY, type Frontier, hashLeaf, rootOf } from '../../../proofs/merkle.ts';
import { writeNote } from '../../../proofs/signed-note.ts';
import { AppError } from '../../../shared/app-error.ts';
import { createQueues } from '../../../shared/queues.ts';
import type { StoreClient } from '../client.ts';
import { queueNotice } from '../notices/notices.ts';
import { normalizeJson, type RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import { type LogEntryRecord, readVerified } from './log-entry-record.ts';

/** The other requests in the batch of an entry. Called again for each try, so it only adds requests. */
export type LoggedChange = {
  /** The entry's record id, if it may exist only once. */
  id?: string;
  /** The change itself. A conflict in it is reported before one about the log. */
  change?(batch: BatchService): void;
  /** Reads what the references need, after the log's newest entry: a later entry makes the batch fail. */
  readLinked?(): Promise<void>;
  /** Adds the references to the entry, by its record id or by its position in the log. */
  linkEntry?(batch: BatchService, entryId: string, position: LogPosition): void;
};

/** The number of an entry, and the hash of its leaf (RFC 6962), base64. */
export type LogPosition = { number: number; leafHash: string };

export type ActivityLog = {
  /**
   * Stores a change, its log entry and its notices in one batch: all of them, or
   * nothing. The entry becomes the next leaf of its organization's log, also if
   * other processes append at the same time.
   *
   * @returns The log's checkpoint that covers the entry.
   * @throws AppError `logChanged` if another writer changed the end of the log, `storeUnavailable`.
   * @throws ClientResponseError if the change conflicts with what is stored.
   */
  send(effects: Effects, logged?: LoggedChange): Promise<Checkpoint>;
};

/** The dependencies of stores. */
export type StoreDeps = { client: StoreClient; log: ActivityLog; sealer: Sealer; seals: RecordSeals };

/** Each conflict means that another process appended, so 64 simultaneous appends need at most as many tries. */
const MOST_TRIES = 100;
const LONGEST_PAUSE_MS = 20;

/**
 * @param options.onChanged Alerts the operators. Called once for each broken end of a log in this process.
 */
export function createActivityLog(
  client: StoreClient,
  keys: SigningKeys,
  { publicUrl, onChanged = () => undefined }: { publicUrl: string; onChanged?: (org: string) => void },
): ActivityLog {
  const organizations = recordsOf(client, 'organizations');
  const entries = recordsOf<LogEntryRecord>(client, 'gh_activities');
  // An organization gets one entry at a time, so that this process doesn't conflict with itself.
  const turns = createQueues<string>(1);
  const alerted = new Map<string, string>();

  const alert = (org: string, { checkpoint }: LogEntryRecord) => {
    if (alerted.get(org) === checkpoint) return;
    alerted.set(org, checkpoint);
    onChanged(org);
  };

  const readNewest = (org: string) => {
    const options = { sort: '-entry_number', fields: 'id,entry_number,checkpoint,created' };
    return entries.first(['org = {:org} && entry_number > 0', { org }], options);
  };

  const readFrontier = async (org: string, orgId: number, last: LogEntryRecord): Promise<Frontier> => {
    try {
      return (await readVerified(client, keys, { org, orgId, last })).frontier;
    } catch (error) {
      if (error instanceof AppError && error.code === 'logChanged') alert(org, last);
      throw error;
    }
  };

  const append = async (records: PocketBase, effects: Effects, logged: LoggedChange): Promise<Checkpoint> => {
    const { activity, notices } = effects;
    const org = activity.orgRecordId;
    const now = client.clock.now();
    const [organization, last, key] = await Promise.all([
      organizations.get(org),
      readNewest(org),
      keys.current(),
    ]);
    const { org_id: orgId } = organization;
    const [frontier] = await Promise.all([
      last ? readFrontier(org, orgId, last) : EMPTY,
      logged.readLinked?.(),
    ]);
    const origin = logOrigin(publicUrl, orgId);
    const entry = nextEntry(activity, { origin, frontier, now, key });
    const id = logged.id ?? newRecordId();
    const batch = records.createBatch();
    logged.change?.(batch);
    batch.collection('gh_activities').create({ id, ...entry.fields });
    logged.linkEntry?.(batch, id, entry.position);
    for (const notice of notices)
      queueNotice(batch, { ...notice, data: { ...notice.data, checkpoint: entry.fields.checkpoint } }, now);
    await batch.send();
    return entry.checkpoint;
  };

  return {
    send: (effects, logged = {}) =>
      turns.add(effects.activity.orgRecordId, () =>
        client.run(async (records) => {
          for (let tries = 1; ; tries += 1) {
            try {
              return await append(records, effects, logged);
            } catch (error) {
              if (!isTaken(error)) throw error;
              if (tries === MOST_TRIES) throw new AppError('storeUnavailable', { cause: error });
              await delay(Math.random() * LONGEST_PAUSE_MS);
            }
          }
        }),
      ),
  };
}

/** Another process appended an entry with this number. */
function isTaken(error: unknown): boolean {
  return (
    error instanceof ClientResponseError &&
    error.status === 400 &&
    /"entry_number":\{[^}]*"validation_not_unique"/.test(JSON.stringify(error.response.data ?? {}))
  );
}

/** The record of a log's next entry, and the frontier and checkpoint of the log with it as its last. */
export function nextEntry(
  activity: NewActivity,
  { origin, frontier, now, key }: { origin: string; frontier: Frontier; now: Date; key: SigningKey },
) {
  const { userId, orgRecordId, subject = '', data } = activity;
  const number = frontier.size + 1;
  const parts = normalizeJson(logParts(activity, { log: origin, number, at: now }));
  const salts = { event: newSalt(), person: newSalt() };
  const leaf = makeLeaf(parts, salts);
  const leafHash = hashLeaf(Buffer.from(leaf));
  const appended = appendLeaf(frontier, leafHash);
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
  const position: LogPosition = { number, leafHash: base64.encode(leafHash) };
  return { fields, position, frontier: appended.frontier, checkpoint };
}

const newSalt = () => randomBytes(32).toString('base64url');
