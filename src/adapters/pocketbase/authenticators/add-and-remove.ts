import type { BatchService } from 'pocketbase';
import type { Effects } from '../../../audit/ports.ts';
import type {
  Admission,
  Holder,
  LostAuthenticator,
  LostAuthenticators,
  RemovalRecord,
} from '../../../authenticators/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { createIfNew, isDuplicate, type StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { consumeKey, consumeKeyInBatch } from '../records/one-time-keys.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';

type BatchDeps = { client: StoreClient; log: ActivityLog };

type AddOutcome = 'added' | 'known' | 'notFirst';

const MOST_ROUNDS = 4;

/**
 * Adds an authenticator and its effects in one batch. A first one also creates
 * the person's `first_authenticators` record, which can exist only once. If that
 * record was left behind without an authenticator, it is deleted and the batch
 * is sent again. A first one and a pending one replace what was pending.
 *
 * @returns `known` if a record with the same unique fields exists, `notFirst` if
 *   it was to be the first one and the holder already has one.
 */
export async function addAuthenticator(
  { client, log }: BatchDeps,
  input: { holder: Holder; order: Admission['order']; effects: Effects },
  add: (batch: BatchService) => void,
): Promise<AddOutcome> {
  const { holder, order, effects } = input;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const replaced = order === 'further' ? [] : await findPending(client, holder);
    const change = (batch: BatchService) => {
      if (order === 'first') addMarker(batch, holder);
      for (const id of replaced) {
        decidePending(batch, id);
        batch.collection('webauthn').delete(id);
      }
      add(batch);
    };
    try {
      await log.send(effects, { change });
      return 'added';
    } catch (error) {
      const next = await afterConflict(client, { holder, order, replaced, error });
      if (next !== 'again') return next;
    }
  }
  return 'notFirst';
}

/** Finds out why the batch failed: nothing but a known credential, another registration, or the confirmation of the pending one. */
async function afterConflict(
  client: StoreClient,
  conflict: { holder: Holder; order: Admission['order']; replaced: string[]; error: unknown },
): Promise<AddOutcome | 'again'> {
  const { holder, order, replaced, error } = conflict;
  const marker = order === 'first' ? await findMarker(client, holder) : null;
  if (marker) {
    if ((await countAuthenticators(client, holder)) > 0) return 'notFirst';
    // Only one process deletes it, so that nobody deletes what another process has made since.
    if (!(await consumeKey(client, `left:${marker.id}:${marker.created}`, client.clock.now())))
      return 'notFirst';
    await recordsOf(client, 'first_authenticators').delete(marker.id);
    return 'again';
  }
  const pending = order === 'further' ? [] : await findPending(client, holder);
  if (replaced.some((id) => !pending.includes(id)) && (await countAuthenticators(client, holder)) > 0)
    return 'notFirst';
  if (pending.join() !== replaced.join()) return 'again';
  if (isDuplicate(error)) return 'known';
  throw error;
}

/**
 * Removes an authenticator, and adds the effects and its loss, in one batch.
 *
 * @param input.id Of two removals of this record, only one counts. A pending one is removed only if nobody confirmed
 *   it in the meantime.
 * @returns False if it was already removed.
 */
export async function removeAuthenticator(
  { client, log }: BatchDeps,
  input: { holder: Holder; id: string; isPending?: boolean } & RemovalRecord,
  remove: (batch: BatchService) => void,
): Promise<boolean> {
  const { holder, id, isPending = false, effects, lost } = input;
  const isLast = !isPending && (await countAuthenticators(client, holder)) <= 1;
  const hasMarker = isLast && (await findMarker(client, holder)) !== null;
  const change = (batch: BatchService) => {
    consumeKeyInBatch(batch, `removed:${id}`);
    if (isPending) decidePending(batch, id);
    remove(batch);
    if (lost) addLost(batch, lost);
    if (hasMarker) batch.collection('first_authenticators').delete(markerId(holder));
  };
  return (await createIfNew(() => log.send(effects, { change }))) !== null;
}

/** A pending authenticator is confirmed, replaced or removed, and only one of these happens. */
export const decidePending = (batch: BatchService, id: string) => consumeKeyInBatch(batch, `decided:${id}`);

/** GitHub's ids of the holder and the organization, as the records of an authenticator's relations have them. */
export async function githubIdsOf(client: StoreClient, { userId, org }: Holder) {
  const user = await recordsOf(client, 'gh_users').get(userId, { fields: 'github_id' });
  return { user, org: { org_id: org.id } };
}

/** Creates the record that says that the holder has a first authenticator. */
export function addMarker(batch: BatchService, holder: Holder, how: 'create' | 'upsert' = 'create'): void {
  batch.collection('first_authenticators')[how]({ id: markerId(holder), key: markerId(holder) });
}

const markerId = ({ userId, org }: Holder) => recordIdOf(`enrolled:${userId}:${org.recordId}`);

/** The record that says that the holder has a first authenticator, and keeps a second one from being the first too. */
const findMarker = (client: StoreClient, holder: Holder) =>
  recordsOf(client, 'first_authenticators').first({ id: markerId(holder) });

/** The record ids of the holder's pending authenticators: at most one. */
async function findPending(client: StoreClient, { userId, org }: Holder): Promise<string[]> {
  const wanted = 'user = {:userId} && org = {:org} && pending != ""';
  const values = { userId, org: org.recordId };
  const found = await recordsOf(client, 'webauthn').page(2, [wanted, values], { fields: 'id' });
  return found.map(({ id }) => id);
}

/** The holder's authenticators in the organization, without a pending one; more than two count as two. */
async function countAuthenticators(client: StoreClient, { userId, org }: Holder): Promise<number> {
  const [credentials, apps] = await Promise.all([
    recordsOf(client, 'webauthn').page(2, { user: userId, org: org.recordId, pending: '' }),
    recordsOf(client, 'totps').page(1, { user_id: userId, org_id: org.recordId }),
  ]);
  return credentials.length + apps.length;
}

type LostRecord = RecordOf<'lost_authenticators'> & { expand: { org: { org_id: number; name: string } } };

/** Adds a loss to the batch that removes the authenticator, so that its approvals are withdrawn even after a crash. */
function addLost(batch: BatchService, { id, method, holder, org, since, by }: LostAuthenticator): void {
  batch.collection('lost_authenticators').create({
    authenticator: id,
    method,
    user_id: holder.githubId,
    login: holder.login,
    org: org.recordId,
    since: since.toISOString(),
    by: by.userId,
    by_id: by.githubId,
    by_login: by.login,
  });
}

export function createLostAuthenticators(client: StoreClient): LostAuthenticators {
  const lost = recordsOf<LostRecord>(client, 'lost_authenticators');
  return {
    pending: async () => (await lost.all({ done: false }, { sort: 'created', expand: 'org' })).map(toLost),
    async done({ id }) {
      const found = await lost.first({ authenticator: id });
      if (found) await lost.update(found.id, { done: true });
    },
  };
}

function toLost({ expand: { org }, ...record }: LostRecord): LostAuthenticator {
  return {
    id: record.authenticator,
    method: record.method,
    holder: { githubId: record.user_id, login: record.login },
    org: { id: org.org_id, recordId: record.org, name: org.name },
    since: new Date(record.since),
    by: { userId: record.by, githubId: record.by_id, login: record.by_login },
  };
}
