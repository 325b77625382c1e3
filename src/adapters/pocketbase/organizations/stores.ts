import type { MemberReminders } from '../../../organizations/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { type StoreClient, sendBatch, tryToStore } from '../client.ts';
import { queueNotice } from '../notices/notices.ts';
import { recordsOf } from '../records/records-of.ts';
import { createCandidates, createMemberships } from './memberships.ts';
import { createOrganizations } from './organizations.ts';

export const createOrganizationStores = (client: StoreClient, log: ActivityLog) => ({
  candidates: createCandidates(client),
  memberReminders: createMemberReminders(client),
  memberships: createMemberships(client),
  organizations: createOrganizations(client, log),
});

type StandingRecord = { github_id: number; person: string; login: string; reminded: string };

const WITHOUT = 'org = {:org} && enrolled = 0 && waits = 0';

function createMemberReminders(client: StoreClient): MemberReminders {
  return {
    async remindable(org, { memberId, most }) {
      const wanted = `${WITHOUT}${memberId === undefined ? '' : ' && github_id = {:memberId}'}`;
      const standings = recordsOf<StandingRecord>(client, 'member_standings');
      const reachable = `${wanted} && has_address = {:hasAddress}`;
      const valuesFor = (hasAddress: number) => ({ org, memberId, hasAddress });
      const [found, withoutAddress] = await Promise.all([
        standings.page(most, [reachable, valuesFor(1)], { sort: 'reminded,login' }),
        standings.count([reachable, valuesFor(0)]),
      ]);
      const members = found.map(({ github_id: githubId, person: userId, login, reminded }) => ({
        githubId,
        userId,
        login,
        reminded: reminded ? new Date(reminded) : null,
      }));
      return { members, withoutAddress };
    },

    async add(org, { githubId, at, notSince, notice }) {
      const reminders = recordsOf(client, 'member_reminders');
      const last = await reminders.first({ org, github_id: githubId }, { sort: '-number' });
      if (last && new Date(last.at) > notSince) return false;
      const fields = { org, github_id: githubId, number: (last?.number ?? 0) + 1, at: at.toISOString() };
      return tryToStore(() =>
        sendBatch(client, (batch) => {
          batch.collection('member_reminders').create(fields);
          queueNotice(batch, notice, at);
        }),
      );
    },
  };
}
