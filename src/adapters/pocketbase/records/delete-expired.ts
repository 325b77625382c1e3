import { inTurn } from '../../../shared/work.ts';
import { type StoreClient, storeTime } from '../client.ts';
import { DEFINITIONS } from '../collections.ts';
import type { Expiry } from '../schema/definition.ts';
import { recordsOf } from './records-of.ts';

const MOST_AT_ONCE = 200;
const MOST_ROUNDS = 50;

/**
 * Deletes expired records, in small pages, so that other requests don't wait for it.
 *
 * @throws The first failure, after each collection had its turn.
 */
export async function deleteExpired(client: StoreClient, now: Date): Promise<void> {
  await inTurn(DEFINITIONS, async ([collection, { expires }]) => {
    if (expires === 'never') return;
    const before = storeTime(new Date(now.getTime() - expires.keptMs));
    const { only = [undefined] } = expires;
    if (expires.ofHead || expires.ofPull)
      for (const filter of only) await deleteOfClosed(client, collection, { ...expires, before }, filter);
    else await deleteBefore(client, collection, { ...expires, before });
  });
}

type Expired = Expiry & { before: string };
type Row = Record<string, string> & { id: string; repo_id: number; pr: number };

async function deleteBefore(client: StoreClient, collection: string, { time, before }: Expired) {
  const records = recordsOf<Row>(client, collection);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = await records.page(MOST_AT_ONCE, [`${time} < {:before}`, { before }], { fields: 'id' });
    for (const { id } of found) await records.delete(id);
    if (found.length < MOST_AT_ONCE) return;
  }
}

async function deleteOfClosed(
  client: StoreClient,
  collection: string,
  { time, before, ofPull }: Expired,
  only: string | undefined,
): Promise<void> {
  const records = recordsOf<Row>(client, collection);
  const inOrder = `${time} < {:before} && ${time} >= {:at} && (${time} > {:at} || id > {:id})`;
  const filter = only ? `${only} && ${time} < {:before} && id > {:id}` : inOrder;
  const options = {
    sort: only ? 'id' : `${time},id`,
    fields: `id,${ofPull ? 'repo_id,pr' : 'head'},${time}`,
  };
  for (let last = { at: '', id: '' }; ; ) {
    const found = await records.page(MOST_AT_ONCE, [filter, { before, ...last }], options);
    const end = found.at(-1);
    if (!end) return;
    const isOpen = await (ofPull ? openPullsAmong : openHeadsAmong)(client, found);
    for (const row of found) if (!isOpen(row)) await records.delete(row.id);
    last = { at: end[time] ?? '', id: end.id };
  }
}

type IsOpen = (row: Row) => boolean;

/** Tells of which records an open pull request has the head. */
async function openHeadsAmong(client: StoreClient, rows: Row[]): Promise<IsOpen> {
  const heads = [...new Set(rows.map(({ head = '' }) => head))];
  const found = await recordsOf(client, 'open_pulls').allOf('head', heads, {}, { fields: 'head' });
  const open = new Set(found.map(({ head }) => head));
  return ({ head = '' }) => open.has(head);
}

/** Tells of which records the pull request is open. */
async function openPullsAmong(client: StoreClient, rows: Row[]): Promise<IsOpen> {
  const open = new Set<string>();
  const keyOf = (repoId: number, pr: number) => `${repoId} ${pr}`;
  for (const repo_id of new Set(rows.map((row) => row.repo_id))) {
    const numbers = new Set(rows.filter((row) => row.repo_id === repo_id).map(({ pr }) => pr));
    const fields = { fields: 'pr' };
    const found = await recordsOf(client, 'open_pulls').allOf('pr', [...numbers], { repo_id }, fields);
    for (const { pr } of found) open.add(keyOf(repo_id, pr));
  }
  return ({ repo_id, pr }) => open.has(keyOf(repo_id, pr));
}
