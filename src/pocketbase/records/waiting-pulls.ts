import type { WaitingPull, WaitingPulls } from '../../inbox/ports.ts';
import type { StoreClient } from '../client.ts';
import { storeTime } from '../store-time.ts';
import { type PullRecord, toPull, WAITING } from './pull-record.ts';

const PAGE = 1_000;

export function createWaitingPulls(client: StoreClient): WaitingPulls {
  return {
    async version(org) {
      // The list got shorter, or something in it is newer: nothing else can happen to it.
      const newest = await client.run((records) =>
        records.collection('open_pulls').getList<PullRecord>(1, 1, {
          filter: records.filter(WAITING, { org }),
          sort: '-changed,id',
          fields: 'changed,id',
        }),
      );
      const [first] = newest.items;
      return `${newest.totalItems}:${first?.changed ?? ''}:${first?.id ?? ''}`;
    },

    async list(org) {
      const found = await client.run((records) =>
        records.collection('open_pulls').getFullList<PullRecord>({
          filter: records.filter(WAITING, { org }),
          sort: 'since,id',
          batch: PAGE,
        }),
      );
      return found.map(toWaiting);
    },

    async changedSince(org, since, most) {
      const found = await client.run((records) =>
        records.collection('open_pulls').getList<PullRecord>(1, most, {
          filter: records.filter(`${WAITING} && changed >= {:from}`, { org, from: storeTime(since) }),
          sort: '-changed,id',
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

/** `changed` is empty if an earlier version saved it. */
const toWaiting = (record: PullRecord): WaitingPull => ({
  ...toPull(record),
  changed: new Date(record.changed || record.since),
});
