import type PocketBase from 'pocketbase';
import { createIfNew, type StoreClient } from '../client.ts';

/** RFC 6238's default time step. */
const STEP_S = 30;
/** The current code and those of the next two steps are refused, as one of them may already have been used. */
const REFUSED_STEPS = 2;

/**
 * After a restore, what was used up since the backup looks unused. So this ends
 * every session and everything people had begun, and refuses each one-time code
 * that may already have been used.
 */
export async function invalidateRestoredState(client: StoreClient, now: Date): Promise<void> {
  await client.run(async (records) => {
    await records.collections.truncate('challenges');
    await records.collections.truncate('email_codes');
    for (const id of await idsOf(records, 'gh_users'))
      await records.collection('gh_users').update(id, { 'tokenKey:autogenerate': '' });
    const step = Math.floor(now.getTime() / 1000 / STEP_S) + REFUSED_STEPS;
    for (const totp of await idsOf(records, 'totps'))
      await createIfNew(() => records.collection('totp_steps').create({ totp, step }));
  });
}

async function idsOf(records: PocketBase, collection: string): Promise<string[]> {
  const all = await records.collection(collection).getFullList<{ id: string }>({ fields: 'id' });
  return all.map(({ id }) => id);
}
