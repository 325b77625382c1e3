import type PocketBase from 'pocketbase';
import type { BatchService } from 'pocketbase';
import type { Effects } from '../../audit/ports.ts';
import type { FirstOrFurther, Holder, RemovalRecord } from '../../authenticators/ports.ts';
import { createIfNew, first, ignoreMissing, isDuplicate, type StoreClient } from '../client.ts';
import { addEffects } from './effects.ts';
import { addLost } from './lost-authenticators.ts';
import { consumeKey, consumeKeyInBatch } from './one-time-keys.ts';
import { recordIdOf } from './record-id.ts';

/**
 * Adds an authenticator and its effects in one batch. A first one also creates
 * the person's `first_authenticators` record, which can exist only once. If that
 * record was left behind without an authenticator, it is deleted and the batch
 * is sent again.
 *
 * @returns `known` if a record with the same unique fields exists, `notFirst` if
 *   it was to be the first one and the holder already has one.
 */
export async function addAuthenticator(
  client: StoreClient,
  input: { holder: Holder; entry: FirstOrFurther; effects: Effects },
  add: (batch: BatchService) => void,
): Promise<'added' | 'known' | 'notFirst'> {
  const { holder, entry, effects } = input;
  return client.run(async (records) => {
    for (const isLastTry of [false, true]) {
      const batch = records.createBatch();
      if (entry === 'first') {
        batch.collection('first_authenticators').create({ id: markerId(holder), key: markerId(holder) });
      }
      add(batch);
      addEffects(batch, effects, client.clock.now());
      try {
        await batch.send();
        return 'added';
      } catch (error) {
        const marker = entry === 'first' ? await findMarker(records, holder) : null;
        if (!marker && isDuplicate(error)) return 'known';
        if (!marker) throw error;
        if (isLastTry || (await countAuthenticators(records, holder)) > 0) return 'notFirst';
        // Only one process deletes it, so that nobody deletes the one that another process has made since.
        if (!(await consumeKey(client, `left:${marker.id}:${marker.created}`, client.clock.now())))
          return 'notFirst';
        await records.collection('first_authenticators').delete(marker.id).catch(ignoreMissing);
      }
    }
    return 'notFirst';
  });
}

/**
 * Removes an authenticator, and adds the effects and its loss, in one batch.
 *
 * @param input.key A one-time key for this record: of two removals, only one counts.
 * @returns False if it was already removed.
 */
export async function removeAuthenticator(
  client: StoreClient,
  input: { holder: Holder; key: string } & RemovalRecord,
  remove: (batch: BatchService) => void,
): Promise<boolean> {
  const { holder, key, effects, lost } = input;
  return client.run(async (records) => {
    const batch = records.createBatch();
    consumeKeyInBatch(batch, key);
    remove(batch);
    if (lost) addLost(batch, lost);
    addEffects(batch, effects, client.clock.now());
    if ((await countAuthenticators(records, holder)) <= 1 && (await findMarker(records, holder))) {
      batch.collection('first_authenticators').delete(markerId(holder));
    }
    return (await createIfNew(() => batch.send())) !== null;
  });
}

/** GitHub's ids of the holder and the organization, as the records of an authenticator's relations have them. */
export async function githubIdsOf(client: StoreClient, { userId, org }: Holder) {
  const user = await client.run((records) =>
    records.collection('gh_users').getOne<{ github_id: number }>(userId, { fields: 'github_id' }),
  );
  return { user, org: { org_id: org.id } };
}

const markerId = ({ userId, org }: Holder) => recordIdOf(`enrolled:${userId}:${org.recordId}`);

/** The record that says that the holder has a first authenticator, and keeps a second one from being the first too. */
async function findMarker(
  records: PocketBase,
  holder: Holder,
): Promise<{ id: string; created: string } | null> {
  return first(records, 'first_authenticators', 'id = {:id}', { id: markerId(holder) });
}

/** The holder's authenticators in the organization; more than two count as two. */
async function countAuthenticators(records: PocketBase, { userId, org }: Holder): Promise<number> {
  const [credentials, apps] = await Promise.all([
    records.collection('webauthn').getList(1, 2, {
      filter: records.filter('user = {:userId} && org = {:org}', { userId, org: org.recordId }),
      skipTotal: true,
    }),
    records.collection('totps').getList(1, 1, {
      filter: records.filter('user_id = {:userId} && org_id = {:org}', { userId, org: org.recordId }),
      skipTotal: true,
    }),
  ]);
  return credentials.items.length + apps.items.length;
}
