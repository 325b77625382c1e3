import type PocketBase from 'pocketbase';
import { ignoreMissing } from '../client.ts';
import { storeTime } from '../store-time.ts';
import { MOST_HEADS, openAmong } from './open-among.ts';

const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** First attempts that never passed. */
const PENDING = 'phase = "pending" && attempt = 1 && since < {:before} && id > {:after}';

type Run = { id: string; head: string };

/**
 * Deletes the records of runs that were pending for 90 days and whose head has no open pull request. If one is opened
 * again, the head gets another run. A run that passed stays known, so that it can be taken back and isn't taken for a
 * forged one; so do later attempts, which come after one that may have passed.
 */
export async function deleteClosedRuns(records: PocketBase, now: Date): Promise<void> {
  const before = storeTime(new Date(now.getTime() - KEPT_MS));
  for (let after = ''; ; ) {
    const { items } = await records.collection('check_runs').getList<Run>(1, MOST_HEADS, {
      filter: records.filter(PENDING, { before, after }),
      sort: 'id',
      fields: 'id,head',
      skipTotal: true,
    });
    const next = items.at(-1);
    if (!next) return;
    const open = await openAmong(records, new Set(items.map(({ head }) => head)));
    for (const { id, head } of items)
      if (!open.has(head)) await records.collection('check_runs').delete(id).catch(ignoreMissing);
    after = next.id;
  }
}
