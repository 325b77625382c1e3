import type { PullSearch } from '../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';
import { contains } from './contains.ts';
import { type PullRecord, toPull, WAITING } from './pull-record.ts';

const MATCHES = ' && (title ~ {:text} || repo_name ~ {:text} || author ~ {:text})';
const FOLLOWS = ' && (since > {:since} || (since = {:since} && id > {:id}))';

/** The pull requests of an organization that wait, for its owners. */
export function createPullSearch(client: StoreClient): PullSearch {
  return {
    async list(orgRecordId, { search, after, most }) {
      const wanted = `${WAITING}${search && MATCHES}`;
      const [since = '', id = ''] = after.split('/');
      const values = { org: orgRecordId, text: contains(search), since, id };
      return client.run(async (records) => {
        const pulls = records.collection('open_pulls');
        const [all, page] = await Promise.all([
          pulls.getList(1, 1, { filter: records.filter(wanted, values), fields: 'id' }),
          pulls.getList<PullRecord>(1, most + 1, {
            filter: records.filter(`${wanted}${after && FOLLOWS}`, values),
            sort: 'since,id',
            skipTotal: true,
          }),
        ]);
        const shown = page.items.slice(0, most);
        const last = page.items.length > most ? shown.at(-1) : undefined;
        return {
          total: all.totalItems,
          pulls: shown.map(toPull),
          next: last ? `${last.since}/${last.id}` : null,
        };
      });
    },
  };
}
