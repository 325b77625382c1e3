import type { WaitingPull, WaitingPulls } from '../../../inbox/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { storeTime } from '../store-time.ts';
import { FOLLOWS, type PullRecord, placeOf, readPlace, toPull, UP_TO, WAITING } from './pull-record.ts';

const PAGE = 1_000;

export function createWaitingPulls(client: StoreClient): WaitingPulls {
  const page = async (org: string, after: string, most: number): Promise<PullRecord[]> => {
    const { items } = await client.run((records) =>
      records.collection('open_pulls').getList<PullRecord>(1, most, {
        filter: records.filter(`${WAITING}${after && FOLLOWS}`, { org, ...readPlace(after) }),
        sort: 'since,id',
        skipTotal: true,
      }),
    );
    return items;
  };

  return {
    async newestChange(org) {
      const found = await client.run((records) =>
        first<PullRecord>(
          records,
          'open_pulls',
          WAITING,
          { org },
          { sort: '-changed,-id', fields: 'changed,id' },
        ),
      );
      return `${found?.changed ?? ''}:${found?.id ?? ''}`;
    },

    async count(org, end) {
      const { totalItems } = await client.run((records) =>
        records.collection('open_pulls').getList(1, 1, {
          filter: records.filter(`${WAITING}${end === null ? '' : UP_TO}`, { org, ...readPlace(end ?? '') }),
          fields: 'id',
        }),
      );
      return totalItems;
    },

    async list(org, most) {
      const found: PullRecord[] = [];
      let end = '';
      while (found.length < most) {
        const wanted = Math.min(PAGE, most - found.length);
        const items = await page(org, end, wanted);
        found.push(...items);
        if (items.length < wanted) return { pulls: found.map(toWaiting), end: null };
        end = items.slice(-1).map(placeOf).join('');
      }
      return { pulls: found.map(toWaiting), end };
    },

    async changedSince(org, since, most) {
      const found = await client.run((records) =>
        records.collection('open_pulls').getList<PullRecord>(1, most, {
          filter: records.filter(`${WAITING} && changed >= {:from}`, { org, from: storeTime(since) }),
          sort: '-changed,-id',
          skipTotal: true,
        }),
      );
      return found.items.map(toWaiting);
    },

    async since(org, from, { number, size }) {
      const found = await client.run((records) =>
        records.collection('open_pulls').getList<PullRecord>(number, size, {
          filter: records.filter(`${WAITING} && since >= {:from}`, { org, from: storeTime(from) }),
          sort: 'since,id',
          skipTotal: true,
        }),
      );
      return found.items.map(toWaiting);
    },
  };
}

const toWaiting = (record: PullRecord): WaitingPull => ({
  ...toPull(record),
  changed: new Date(record.changed),
});
