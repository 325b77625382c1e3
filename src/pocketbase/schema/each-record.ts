import { ignoreMissing, type StoreClient } from '../client.ts';
import type { Row } from '../records/covered-fields.ts';

const PAGE = 50;

/**
 * Calls `change` for each record of a collection, in pages, and saves the
 * fields that it returns. Records that are removed meanwhile are left out.
 *
 * @param options.filter Only these records.
 * @param options.afterSave Called for each record that was saved, as it was before.
 * @returns How many were changed.
 */
export async function changeEachRecord(
  client: StoreClient,
  collection: string,
  change: (row: Row) => Record<string, unknown> | null,
  {
    afterSave,
    ...options
  }: { filter?: string; expand?: string | undefined; afterSave?(row: Row): Promise<void> } = {},
): Promise<number> {
  let changed = 0;
  for (let last = ''; ; ) {
    const rows = await readPage(client, collection, { ...options, last });
    for (const row of rows) {
      const fields = change(row);
      if (fields === null) continue;
      await client.run((records) =>
        records.collection(collection).update(row.id, fields).catch(ignoreMissing),
      );
      await afterSave?.(row);
      changed += 1;
    }
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return changed;
    last = end.id;
  }
}

async function readPage(
  client: StoreClient,
  collection: string,
  { filter, expand, last }: { filter?: string; expand?: string | undefined; last: string },
): Promise<Row[]> {
  return client.run(async (records) => {
    const after = records.filter('id > {:last}', { last });
    const page = await records.collection(collection).getList<Row>(1, PAGE, {
      filter: filter === undefined ? after : `(${filter}) && ${after}`,
      sort: 'id',
      skipTotal: true,
      ...(expand !== undefined && { expand }),
    });
    return page.items;
  });
}
