import type PocketBase from 'pocketbase';
import type { BatchService } from 'pocketbase';
import type { Holder } from '../../../authenticators/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { recordIdOf } from '../records/record-id.ts';

/** GitHub's ids of the holder and the organization, as the records of an authenticator's relations have them. */
export async function githubIdsOf(client: StoreClient, { userId, org }: Holder) {
  const user = await client.run((records) =>
    records.collection('gh_users').getOne<{ github_id: number }>(userId, { fields: 'github_id' }),
  );
  return { user, org: { org_id: org.id } };
}

/** Creates the record that says that the holder has a first authenticator. */
export function addMarker(batch: BatchService, holder: Holder, how: 'create' | 'upsert' = 'create'): void {
  batch.collection('first_authenticators')[how]({ id: markerId(holder), key: markerId(holder) });
}

export function removeMarker(batch: BatchService, holder: Holder): void {
  batch.collection('first_authenticators').delete(markerId(holder));
}

const markerId = ({ userId, org }: Holder) => recordIdOf(`enrolled:${userId}:${org.recordId}`);

/** The record that says that the holder has a first authenticator, and keeps a second one from being the first too. */
export async function findMarker(
  records: PocketBase,
  holder: Holder,
): Promise<{ id: string; created: string } | null> {
  return first(records, 'first_authenticators', 'id = {:id}', { id: markerId(holder) });
}

/** The record ids of the holder's pending authenticators: at most one. */
export async function findPending(records: PocketBase, { userId, org }: Holder): Promise<string[]> {
  const found = await records.collection('webauthn').getList<{ id: string }>(1, 2, {
    filter: records.filter('user = {:userId} && org = {:org} && pending != ""', {
      userId,
      org: org.recordId,
    }),
    fields: 'id',
    skipTotal: true,
  });
  return found.items.map(({ id }) => id);
}

/** The holder's authenticators in the organization, without a pending one; more than two count as two. */
export async function countAuthenticators(records: PocketBase, { userId, org }: Holder): Promise<number> {
  const [credentials, apps] = await Promise.all([
    records.collection('webauthn').getList(1, 2, {
      filter: records.filter('user = {:userId} && org = {:org} && pending = ""', {
        userId,
        org: org.recordId,
      }),
      skipTotal: true,
    }),
    records.collection('totps').getList(1, 1, {
      filter: records.filter('user_id = {:userId} && org_id = {:org}', { userId, org: org.recordId }),
      skipTotal: true,
    }),
  ]);
  return credentials.items.length + apps.items.length;
}
