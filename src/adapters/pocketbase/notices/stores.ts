import { headKey, type PullNotices } from '../../../inbox/ports.ts';
import { type StoreClient, sendBatch, storeTime, tryToStore } from '../client.ts';
import { consumeKeyInBatch } from '../records/one-time-keys.ts';
import { recordsOf } from '../records/records-of.ts';
import { createNoticeChoices } from './notice-choices.ts';
import { createNotices, queueNotice } from './notices.ts';

export const createNoticeStores = (client: StoreClient) => ({
  noticeChoices: createNoticeChoices(client),
  notices: createNotices(client),
  pullNotices: createPullNotices(client),
});

function createPullNotices(client: StoreClient): PullNotices {
  const notices = recordsOf(client, 'pull_notices');
  return {
    async about(user) {
      const options = { fields: 'repo_id,pr,head', batch: 1_000 };
      const found = await notices.all({ user }, options);
      return new Set(found.map(({ repo_id: repoId, pr, head }) => headKey({ repoId, pr, head })));
    },

    count: (user, since) =>
      notices.count(['user = {:user} && leads = true && at >= {:from}', { user, from: storeTime(since) }]),

    queue({ notice, heads, at, once }) {
      return tryToStore(() =>
        sendBatch(client, (batch) => {
          for (const [index, { repoId: repo_id, pr, head }] of heads.entries())
            batch
              .collection('pull_notices')
              .create({ user: notice.userId, repo_id, pr, head, leads: index === 0, at: at.toISOString() });
          if (once) consumeKeyInBatch(batch, once.key, once.until);
          queueNotice(batch, notice, at);
        }),
      );
    },
  };
}
