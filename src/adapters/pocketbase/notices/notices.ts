import type { BatchService } from 'pocketbase';
import type { Notice, NoticeData, NoticeKind, Notices } from '../../../notices/ports.ts';
import { type StoreClient, storeTime } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import { recordsOf } from '../records/records-of.ts';

type NewNotice = { kind: NoticeKind; data: NoticeData; userId: string; to?: string };

/** Adds a notice to a batch, so that it's sent only if the rest of the batch is stored too. */
export function queueNotice(batch: BatchService, notice: NewNotice, due: Date): void {
  batch.collection('notices').create(toFields(notice, due));
}

export function createNotices(client: StoreClient): Notices {
  const notices = recordsOf(client, 'notices');
  return {
    async due(now, most) {
      const found = await notices.page(most, ['due <= {:now}', { now: storeTime(now) }], { sort: 'due' });
      return found.map(toNotice);
    },
    claim: ({ id, tries }) => consumeKey(client, `notice:${id}:${tries}`, client.clock.now()),
    async retry({ id, tries }, due) {
      await notices.updateIfThere(id, { tries: tries + 1, due: due.toISOString() });
    },
    count: () => notices.count({}),
    done: ({ id }) => notices.delete(id),
    async add(notice, due) {
      await notices.create(toFields(notice, due));
    },
  };
}

function toFields({ kind, data, userId, to = '' }: NewNotice, due: Date) {
  return { kind, data, user: userId, to, tries: 0, due: due.toISOString() };
}

function toNotice({ id, kind, data, user, to, tries, due }: RecordOf<'notices'>): Notice {
  return { id, kind, data, userId: user, to, tries, due: new Date(due) };
}
