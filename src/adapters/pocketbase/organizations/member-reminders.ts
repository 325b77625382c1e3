import type { MemberReminders } from '../../../organizations/ports.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';
import { queueNotice } from '../notices/notices.ts';

type StandingRecord = { github_id: number; person: string; login: string; reminded: string };
type ReminderRecord = { number: number; at: string };

const WITHOUT = 'org = {:org} && enrolled = 0 && waits = 0';

export function createMemberReminders(client: StoreClient): MemberReminders {
  return {
    async remindable(org, { memberId, most }) {
      const wanted = `${WITHOUT}${memberId === undefined ? '' : ' && github_id = {:memberId}'}`;
      return client.run(async (records) => {
        const standings = records.collection('member_standings');
        const filterFor = (hasAddress: number) =>
          records.filter(`${wanted} && has_address = {:hasAddress}`, { org, memberId, hasAddress });
        const [found, others] = await Promise.all([
          standings.getList<StandingRecord>(1, most, {
            filter: filterFor(1),
            sort: 'reminded,login',
            skipTotal: true,
          }),
          standings.getList(1, 1, { filter: filterFor(0), fields: 'id' }),
        ]);
        const members = found.items.map(({ github_id: githubId, person: userId, login, reminded }) => ({
          ...{ githubId, userId, login },
          reminded: reminded ? new Date(reminded) : null,
        }));
        return { members, withoutAddress: others.totalItems };
      });
    },

    async add(org, { githubId, at, notSince, notice }) {
      const stored = await client.run(async (records) => {
        const last = await first<ReminderRecord>(
          records,
          'member_reminders',
          'org = {:org} && github_id = {:githubId}',
          { org, githubId },
          { sort: '-number' },
        );
        if (last && new Date(last.at) > notSince) return null;
        const batch = records.createBatch();
        const number = (last?.number ?? 0) + 1;
        batch
          .collection('member_reminders')
          .create({ org, github_id: githubId, number, at: at.toISOString() });
        queueNotice(batch, notice, at);
        return createIfNew(() => batch.send());
      });
      return stored !== null;
    },
  };
}
