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
    if (expires.ofHead)
      for (const filter of only)
        await deleteOfClosedHeads(client, collection, { ...expires, before }, filter);
    else await deleteBefore(client, collection, { ...expires, before });
  });
}

type Expired = Expiry & { before: string };
type Row = Record<string, string> & { id: string };

async function deleteBefore(client: StoreClient, collection: string, { time, before }: Expired) {
  const records = recordsOf<Row>(client, collection);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = await records.page(MOST_AT_ONCE, [`${time} < {:before}`, { before }], { fields: 'id' });
    for (const { id } of found) await records.delete(id);
    if (found.length < MOST_AT_ONCE) return;
  }
}

async function deleteOfClosedHeads(
  client: StoreClient,
  collection: string,
  { time, before }: Expired,
  only: string | undefined,
): Promise<void> {
  const records = recordsOf<Row>(client, collection);
  const inOrder = `${time} < {:before} && ${time} >= {:at} && (${time} > {:at} || id > {:id})`;
  const filter = only ? `${only} && ${time} < {:before} && id > {:id}` : inOrder;
  const options = { sort: only ? 'id' : `${time},id`, fields: `id,head,${time}` };
  for (let last = { at: '', id: '' }; ; ) {
    const found = await records.page(MOST_AT_ONCE, [filter, { before, ...last }], options);
    const end = found.at(-1);
    if (!end) return;
    const open = await openAmong(client, new Set(found.map(({ head = '' }) => head)));
    for (const { id, head = '' } of found) if (!open.has(head)) await records.delete(id);
    last = { at: end[time] ?? '', id: end.id };
  }
}

/** The heads that an open pull request has. */
async function openAmong(client: StoreClient, heads: Set<string>): Promise<Set<string>> {
  const found = await recordsOf(client, 'open_pulls').allOf('head', [...heads], {}, { fields: 'head' });
  return new Set(found.map(({ head }) => head));
}
