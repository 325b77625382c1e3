import type PocketBase from 'pocketbase';

/** How many heads `openAmong` takes: PocketBase refuses filters of more than 3,500 characters. */
export const MOST_HEADS = 40;

/** Those of these heads that an open pull request has. */
export async function openAmong(records: PocketBase, heads: Set<string>): Promise<Set<string>> {
  const found = await records.collection('open_pulls').getFullList<{ head: string }>({
    filter: [...heads].map((head) => records.filter('head = {:head}', { head })).join('||'),
    fields: 'head',
  });
  return new Set(found.map(({ head }) => head));
}
