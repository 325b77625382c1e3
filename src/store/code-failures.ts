import type { CodeFailures } from '../authenticators/ports.ts';
import { isDuplicate, isMissing, type StoreClient } from './client.ts';

type FailureRecord = { id: string; place: number; at: string };

export function createCodeFailures(client: StoreClient): CodeFailures {
  const where = 'user = {:userId} && org = {:orgRecordId}';
  return {
    async of(userId, orgRecordId) {
      const newest = await client.run((records) =>
        records.collection('code_failures').getList<FailureRecord>(1, 1, {
          filter: records.filter(where, { userId, orgRecordId }),
          sort: '-place',
          skipTotal: true,
        }),
      );
      const [record] = newest.items;
      return record ? { count: record.place, last: new Date(record.at) } : { count: 0, last: null };
    },
    async claim(userId, orgRecordId, place, at) {
      try {
        await client.run((records) =>
          records
            .collection('code_failures')
            .create({ user: userId, org: orgRecordId, place, at: at.toISOString() }),
        );
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    async clear(userId, orgRecordId) {
      await client.run(async (records) => {
        const failures = records.collection('code_failures');
        const all = await failures.getFullList<FailureRecord>({
          filter: records.filter(where, { userId, orgRecordId }),
          // The newest last: while it stands, the row counts as it did.
          sort: 'place',
        });
        for (const { id } of all) {
          await failures.delete(id).catch((error: unknown) => {
            if (!isMissing(error)) throw error;
          });
        }
      });
    },
  };
}
