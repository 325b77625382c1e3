import { createIfNew, type StoreClient } from '../client.ts';

/** RFC 6238's default time step. */
const STEP_S = 30;
/** The current code and those of the next two steps are refused, as one of them may already have been used. */
const REFUSED_STEPS = 2;

/**
 * After a restore, what was used up since the backup looks unused. So this ends
 * everything people had begun, and refuses each one-time code that may already
 * have been used. Every session ended when the archive was packed.
 */
export async function invalidateRestoredState(client: StoreClient, now: Date): Promise<void> {
  await client.run(async (records) => {
    await records.collections.truncate('challenges');
    await records.collections.truncate('email_codes');
    await records.collections.truncate('device_links');
    // Until the next reconciliation, a success that the backup doesn't know may be a genuine one.
    await records.collections.truncate('reconcile_reports');
    const step = Math.floor(now.getTime() / 1000 / STEP_S) + REFUSED_STEPS;
    const totps = await records.collection('totps').getFullList<{ id: string }>({ fields: 'id' });
    for (const { id: totp } of totps)
      await createIfNew(() => records.collection('totp_steps').create({ totp, step }));
  });
}
