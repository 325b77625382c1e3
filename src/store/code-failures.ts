import type { CodeFailures } from '../authenticators/ports.ts';
import { ignoreMissing, isDuplicate, type StoreClient } from './client.ts';

type FailureRecord = { id: string; place: number; at: string };

export function createCodeFailures(client: StoreClient): CodeFailures {
  const list = (userId: string, orgRecordId: string) =>
    client.run((records) =>
      records.collection('code_failures').getFullList<FailureRecord>({
        filter: records.filter('user = {:userId} && org = {:orgRecordId}', { userId, orgRecordId }),
        sort: 'place',
      }),
    );
  return {
    async of(userId, orgRecordId) {
      const all = await list(userId, orgRecordId);
      const newest = all.at(-1);
      return {
        // Not the newest place: a try that came in while the row was cleared stands alone at a high one.
        count: all.length,
        last: newest ? new Date(newest.at) : null,
        next: (newest?.place ?? 0) + 1,
      };
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
      const all = await list(userId, orgRecordId);
      await client.run(async (records) => {
        const failures = records.collection('code_failures');
        for (const { id } of all) {
          await failures.delete(id).catch(ignoreMissing);
        }
      });
    },
  };
}
