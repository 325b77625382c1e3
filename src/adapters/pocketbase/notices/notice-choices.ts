import { noticeChoices } from '../../../contract/inbox.ts';
import type { NoticeChoices } from '../../../inbox/ports.ts';
import type { StoreClient } from '../client.ts';
import { type OrganizationRecord, toOrganization } from '../organizations/organizations.ts';
import { recordsOf } from '../records/records-of.ts';
import type { RecordOf } from '../schema/collections.ts';
import { isActive } from '../schema/readers.ts';

type UserRecord = RecordOf<'gh_users'>;
type ReaderRecord = RecordOf<'org_members'> & { expand: { org: OrganizationRecord; user: UserRecord } };

const READERS = `user.notice_choice = {:choice} && user.address != "" && ${isActive('org')}`;

export function createNoticeChoices(client: StoreClient): NoticeChoices {
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
