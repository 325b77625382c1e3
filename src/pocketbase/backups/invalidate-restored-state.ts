import { createIfNew, type StoreClient } from '../client.ts';
import { DEFINITIONS } from '../collections/collections.ts';

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
    for (const [collection, { restored }] of DEFINITIONS)
      if (restored === 'emptied') await records.collections.truncate(collection);
    const step = Math.floor(now.getTime() / 1000 / STEP_S) + REFUSED_STEPS;
    const totps = await records.collection('totps').getFullList<{ id: string }>({ fields: 'id' });
    for (const { id: totp } of totps)
      await createIfNew(() => records.collection('totp_steps').create({ totp, step }));
  });
}
