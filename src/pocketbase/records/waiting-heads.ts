import type { WaitingHeads } from '../../hooks/ports.ts';
import { sha256Base64url } from '../../sha256.ts';
import type { StoreClient } from '../client.ts';

type PullRecord = {
  repo_id: number;
  repo_name: string;
  pr: number;
  title: string;
  author: string;
  head: string;
  base: string;
  since: string;
};

/** Long enough that no two heads of an organization get the same one, and short, because many are remembered. */
const KEY_LENGTH = 16;

const keyOf = ({ repo_id, pr, head }: PullRecord) =>
  sha256Base64url(`${repo_id}:${pr}:${head}`).slice(0, KEY_LENGTH);

/** What outgoing webhooks read of the open pull requests. */
export function createWaitingHeads(client: StoreClient): WaitingHeads {
  return {
    async since(org, from, { number, size }) {
      const found = await client.run((records) =>
        records.collection('open_pulls').getList<PullRecord>(number, size, {
          filter: records.filter('org = {:org} && approved = false && since >= {:from}', {
            org,
            from: from.toISOString().replace('T', ' '),
          }),
          sort: 'since,id',
          skipTotal: true,
        }),
      );
      return found.items.map((record) => {
        const { repo_id, repo_name, pr, title, author, base, head, since } = record;
        const repo = { id: repo_id, name: repo_name };
        return { key: keyOf(record), repo, pr, title, author, base, head, since: new Date(since) };
      });
    },
  };
}
