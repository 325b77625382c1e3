import type { OpenPull } from '../../../approvals/ports.ts';
import type { WaitingPull, WaitingPulls } from '../../../inbox/ports.ts';
import type { PullSearch } from '../../../organizations/ports.ts';
import { first, type StoreClient, storeTime } from '../client.ts';
import { contains, createDatedCount } from '../records/count.ts';

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

const MATCHES = ' && (title ~ {:text} || repo_name ~ {:text} || author ~ {:text})';

/** The pull requests of an organization that wait, for its owners. */
export function createPullSearch(client: StoreClient): PullSearch {
  const count = createDatedCount(client);
  return {
    async list(orgRecordId, { search, after, most }) {
      const wanted = `${WAITING}${search && MATCHES}`;
      const values = { org: orgRecordId, text: contains(search), ...readPlace(after) };
      const [counted, page] = await Promise.all([
        count('open_pulls', wanted, values),
        client.run((records) =>
          records.collection('open_pulls').getList<PullRecord>(1, most + 1, {
            filter: records.filter(`${wanted}${after && FOLLOWS}`, values),
            sort: 'since,id',
            skipTotal: true,
          }),
        ),
      ]);
      const shown = page.items.slice(0, most);
      const last = page.items.length > most ? shown.at(-1) : undefined;
      return { ...counted, pulls: shown.map(toPull), next: last ? placeOf(last) : null };
    },
  };
}

/** A record of `open_pulls`. */
export type PullRecord = {
  id: string;
  org: string;
  repo_id: number;
  repo_name: string;
  pr: number;
  title: string;
  author: string;
  head: string;
  base: string;
  approved: boolean;
  since: string;
  opened: string;
  reviewers: OpenPull['reviewers'];
  lacks: OpenPull['lacks'] | null;
  changed: string;
};

/** The filter for the open pull requests of the organization `org` that wait for an approval. */
export const WAITING = 'org = {:org} && approved = false';

/** In the order of `since,id`: what follows a place, and what goes up to it. The first comparison is for the index. */
export const FOLLOWS = ' && since >= {:since} && (since > {:since} || id > {:id})';
export const UP_TO = ' && since <= {:since} && (since < {:since} || id <= {:id})';

/** Where a record is in that order. */
export const placeOf = ({ since, id }: PullRecord): string => `${since}/${id}`;

/** The values of `FOLLOWS` and `UP_TO`. */
export function readPlace(place: string): { since: string; id: string } {
  const [since = '', id = ''] = place.split('/');
  return { since, id };
}

/** The saved pull request, and since when its head waits. */
export function toPull(record: PullRecord): OpenPull & { since: Date } {
  const { repo_id: repoId, repo_name: repoName, pr, title, author, head, base, approved, since } = record;
  const { opened, reviewers, lacks } = record;
  return {
    repoId,
    repoName,
    pr,
    title,
    author,
    head,
    base,
    approved,
    since: new Date(since),
    opened: new Date(opened),
    reviewers,
    lacks: lacks ?? [],
  };
}
