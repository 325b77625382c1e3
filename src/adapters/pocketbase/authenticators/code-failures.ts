import type { CodeFailures } from '../../../authenticators/ports.ts';
import { createIfNew, ignoreMissing, type StoreClient } from '../client.ts';

type FailureRecord = { id: string; attempt: number; at: string };

export function createCodeFailures(client: StoreClient): CodeFailures {
  const list = (userId: string, orgRecordId: string) =>
    client.run((records) =>
      records.collection('code_failures').getFullList<FailureRecord>({
        filter: records.filter('user = {:userId} && org = {:orgRecordId}', { userId, orgRecordId }),
        sort: 'attempt',
      }),
    );
  return {
    async read(userId, orgRecordId) {
      const all = await list(userId, orgRecordId);
      const newest = all.at(-1);
      return {
        // Not the newest number: an attempt that came in while the others were cleared has a high one.
        count: all.length,
        last: newest ? new Date(newest.at) : null,
        next: (newest?.attempt ?? 0) + 1,
      };
    },
    async claim(userId, orgRecordId, attempt, at) {
      const fields = { user: userId, org: orgRecordId, attempt, at: at.toISOString() };
      const made = await createIfNew(() =>
        client.run((records) => records.collection('code_failures').create(fields)),
      );
      return made !== null;
    },
    async release(userId, orgRecordId, attempt) {
      const claimed = (await list(userId, orgRecordId)).find((one) => one.attempt === attempt);
      if (!claimed) return;
      await client.run((records) =>
        records.collection('code_failures').delete(claimed.id).catch(ignoreMissing),
      );
    },
    async clear(userId, orgRecordId) {
      const all = await list(userId, orgRecordId);
      await client.run(async (records) => {
        const failures = records.collection('code_failures');
        for (const { id } of all) await failures.delete(id).catch(ignoreMissing);
      });
    },
  };
}
