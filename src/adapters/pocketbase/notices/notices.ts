import type { BatchService } from 'pocketbase';
import type { Notice, NoticeData, NoticeKind, Notices } from '../../../notices/ports.ts';
import { ignoreMissing, type StoreClient, storeTime } from '../client.ts';
import { consumeKey } from '../records/one-time-keys.ts';

type NoticeRecord = {
  id: string;
  kind: NoticeKind;
  data: NoticeData;
  user: string;
  to: string;
  tries: number;
  due: string;
};

type NewNotice = { kind: NoticeKind; data: NoticeData; userId: string; to?: string };

/** Adds a notice to a batch, so that it's sent only if the rest of the batch is stored too. */
export function queueNotice(batch: BatchService, notice: NewNotice, due: Date): void {
  batch.collection('notices').create(toFields(notice, due));
}

export function createNotices(client: StoreClient): Notices {
  return {
    async due(now, most) {
      const found = await client.run((records) =>
        records.collection('notices').getList<NoticeRecord>(1, most, {
          filter: records.filter('due <= {:now}', { now: storeTime(now) }),
          sort: 'due',
          skipTotal: true,
        }),
      );
      return found.items.map(toNotice);
    },
    claim: ({ id, tries }) => consumeKey(client, `notice:${id}:${tries}`, client.clock.now()),
    async retry({ id, tries }, due) {
      await client.run((records) =>
        records
          .collection('notices')
          .update(id, { tries: tries + 1, due: due.toISOString() })
          .catch(ignoreMissing),
      );
    },
    async count() {
      const found = await client.run((records) =>
        records.collection('notices').getList(1, 1, { fields: 'id' }),
      );
      return found.totalItems;
    },
    async done({ id }) {
      await client.run((records) => records.collection('notices').delete(id).catch(ignoreMissing));
    },
    async add(notice, due) {
      await client.run((records) => records.collection('notices').create(toFields(notice, due)));
    },
  };
}

function toFields({ kind, data, userId, to = '' }: NewNotice, due: Date): object {
  return { kind, data, user: userId, to, tries: 0, due: due.toISOString() };
}

function toNotice({ id, kind, data, user, to, tries, due }: NoticeRecord): Notice {
  return { id, kind, data, userId: user, to, tries, due: new Date(due) };
}
