import type { PullSearch } from '../../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';
import { contains } from '../records/contains.ts';
import { createDatedCount } from '../records/count.ts';
import { FOLLOWS, type PullRecord, placeOf, readPlace, toPull, WAITING } from './pull-record.ts';

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
