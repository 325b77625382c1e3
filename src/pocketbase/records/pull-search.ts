import type { PullSearch, UnapprovedPull } from '../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';
import { contains } from './contains.ts';

type PullRecord = {
  id: string;
  repo_id: number;
  repo_name: string;
  pr: number;
  title: string;
  author: string;
  head: string;
  since: string;
  lacks: UnapprovedPull['lacks'] | null;
};

const WAITING = 'org = {:orgRecordId} && approved = false';
const MATCHES = ' && (title ~ {:text} || repo_name ~ {:text} || author ~ {:text})';
const FOLLOWS = ' && (since > {:since} || (since = {:since} && id > {:id}))';

/** The pull requests of an organization that wait, for its owners. */
export function createPullSearch(client: StoreClient): PullSearch {
  return {
    async list(orgRecordId, { search, after, most }) {
      const wanted = `${WAITING}${search && MATCHES}`;
      const [since = '', id = ''] = after.split('/');
      const values = { orgRecordId, text: contains(search), since, id };
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
          pulls: shown.map(toUnapproved),
          next: last ? `${last.since}/${last.id}` : null,
        };
      });
    },
  };
}

function toUnapproved({ pr, title, author, head, since, lacks, ...pull }: PullRecord): UnapprovedPull {
  const { repo_id: repoId, repo_name: repoName } = pull;
  return { repoId, repoName, pr, title, author, head, since: new Date(since), lacks: lacks ?? [] };
}
