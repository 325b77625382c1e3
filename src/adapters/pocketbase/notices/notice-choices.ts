import { noticeChoices } from '../../../contract/inbox.ts';
import type { NoticeChoices } from '../../../inbox/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { type OrganizationRecord, toOrganization } from '../organizations/organizations.ts';
import type { MemberRecord } from '../organizations/replace-members.ts';
import { isActive } from '../schema/readers.ts';

type UserRecord = { id: string; notice_choice: string; notice_chosen: string };
type ReaderRecord = MemberRecord & { expand: { org: OrganizationRecord; user: UserRecord } };

const READERS = `user.notice_choice = {:choice} && user.address != "" && ${isActive('org')}`;

export function createNoticeChoices(client: StoreClient): NoticeChoices {
  const find = (userId: string) =>
    client.run((records) => first<UserRecord>(records, 'gh_users', 'id = {:userId}', { userId }));
  const choiceOf = (user: UserRecord | null) =>
    noticeChoices.find((choice) => choice === user?.notice_choice) ?? 'off';

  return {
    of: async (userId) => choiceOf(await find(userId)),

    async save(userId, choice, at) {
      if (choiceOf(await find(userId)) === choice) return;
      await client.run((records) =>
        records
          .collection('gh_users')
          .update(userId, { notice_choice: choice, notice_chosen: at.toISOString() }),
      );
    },

    async readers(choice) {
      const found = await client.run((records) =>
        records.collection('org_members').getFullList<ReaderRecord>({
          filter: records.filter(READERS, { choice }),
          expand: 'org,user',
          batch: 500,
        }),
      );
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
