import { noticeChoices } from '../../../contract/inbox.ts';
import { headKey, type NoticeChoices, type Profiles, type PullNotices } from '../../../inbox/ports.ts';
import { type StoreClient, sendBatch, storeTime, tryToStore } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { queueNotice } from '../notices/notices.ts';
import { type OrganizationRecord, toOrganization } from '../organizations/organizations.ts';
import { consumeKeyInBatch } from '../records/one-time-keys.ts';
import { recordsOf } from '../records/records-of.ts';
import { isActive } from '../schema/readers.ts';

export const createInboxStores = (client: StoreClient) => ({
  noticeChoices: createNoticeChoices(client),
  profiles: createProfiles(client),
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

function createProfiles(client: StoreClient): Profiles {
  const users = recordsOf(client, 'gh_users');
  return {
    async of(githubIds) {
      const found = await users.allOf('github_id', githubIds, {}, { fields: 'github_id,username,avatar' });
      const entries = found.map(
        ({ github_id, username: login, avatar: avatarUrl }) => [github_id, { login, avatarUrl }] as const,
      );
      return new Map(entries);
    },
  };
}

type UserRecord = RecordOf<'gh_users'>;
type ReaderRecord = RecordOf<'org_members'> & { expand: { org: OrganizationRecord; user: UserRecord } };

const READERS = `user.notice_choice = {:choice} && user.address != "" && ${isActive('org')}`;

function createNoticeChoices(client: StoreClient): NoticeChoices {
  const users = recordsOf(client, 'gh_users');
  const find = (userId: string) => users.first({ id: userId });
  const choiceOf = (user: UserRecord | null) =>
    noticeChoices.find((choice) => choice === user?.notice_choice) ?? 'off';

  return {
    of: async (userId) => choiceOf(await find(userId)),

    async save(userId, choice, at) {
      if (choiceOf(await find(userId)) === choice) return;
      await users.update(userId, { notice_choice: choice, notice_chosen: at.toISOString() });
    },

    async readers(choice) {
      const members = recordsOf<ReaderRecord>(client, 'org_members');
      const found = await members.all([READERS, { choice }], { expand: 'org,user', batch: 500 });
      return found.map(({ github_id: githubId, login, role, user: userId, expand: { org, user } }) => ({
        userId,
        githubId,
        login,
        role,
        org: toOrganization(org),
        chose: new Date(user.notice_chosen),
      }));
    },
  };
}
