import type { BatchService } from 'pocketbase';
import type { Effects, NewActivity } from '../../audit/ports.ts';
import { createIfNew, type StoreClient } from '../client.ts';
import { queueNotice } from './notices.ts';
import { recordIdOf } from './record-id.ts';

/**
 * Stores the effects of something that is logged once, with nothing else. The
 * same name has the same log entry, so a second call is a duplicate.
 *
 * @returns False if they were stored before.
 */
export function addEffectsOnce(
  client: StoreClient,
  name: string,
  { activity, notices }: Effects,
): Promise<boolean> {
  return client.run(async (records) => {
    const batch = records.createBatch();
    addActivity(batch, activity, recordIdOf(name));
    for (const notice of notices) queueNotice(batch, notice, client.clock.now());
    return (await createIfNew(() => batch.send())) !== null;
  });
}

/** Adds a change's effects to the batch that stores the change: both are stored, or neither. */
export function addEffects(batch: BatchService, { activity, notices }: Effects, now: Date): void {
  addActivity(batch, activity);
  for (const notice of notices) queueNotice(batch, notice, now);
}

/** @param id The record's id, if the entry may exist only once. */
export function addActivity(batch: BatchService, entry: NewActivity, id?: string): void {
  const { activity, userId, orgRecordId, data } = entry;
  batch
    .collection('gh_activities')
    .create({ ...(id !== undefined && { id }), activity, user_id: userId, org: orgRecordId, data });
}
