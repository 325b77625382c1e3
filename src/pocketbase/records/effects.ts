import type { BatchService } from 'pocketbase';
import type { Effects, NewActivity } from '../../audit/ports.ts';
import { queueNotice } from './notices.ts';

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
