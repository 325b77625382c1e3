import { headKey, type PullNotices } from '../../../inbox/ports.ts';
import { createIfNew, type StoreClient, storeTime } from '../client.ts';
import { consumeKeyInBatch } from '../records/one-time-keys.ts';
import { queueNotice } from './notices.ts';

type NoticeRecord = { repo_id: number; pr: number; head: string };

export function createPullNotices(client: StoreClient): PullNotices {
  return {
    async about(user) {
      const found = await client.run((records) =>
        records.collection('pull_notices').getFullList<NoticeRecord>({
          filter: records.filter('user = {:user}', { user }),
          fields: 'repo_id,pr,head',
          batch: 1_000,
        }),
      );
      return new Set(found.map(({ repo_id: repoId, pr, head }) => headKey({ repoId, pr, head })));
    },

    async count(user, since) {
      const from = storeTime(since);
      const found = await client.run((records) =>
        records.collection('pull_notices').getList(1, 1, {
          filter: records.filter('user = {:user} && leads = true && at >= {:from}', { user, from }),
          fields: 'id',
        }),
      );
      return found.totalItems;
    },

    async queue({ notice, heads, at, once }) {
      const queued = await createIfNew(() =>
        client.run((records) => {
          const batch = records.createBatch();
          for (const [index, { repoId: repo_id, pr, head }] of heads.entries())
            batch
              .collection('pull_notices')
              .create({ user: notice.userId, repo_id, pr, head, leads: index === 0, at: at.toISOString() });
          if (once) consumeKeyInBatch(batch, once.key, once.until);
          queueNotice(batch, notice, at);
          return batch.send();
        }),
      );
      return queued !== null;
    },
  };
}
