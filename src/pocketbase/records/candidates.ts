import type { Candidates } from '../../inbox/ports.ts';
import type { StoreClient } from '../client.ts';
import type { MemberRecord } from './replace-members.ts';

export function createCandidates(client: StoreClient): Candidates {
  return {
    async some(org, roles, most) {
      const anyRole = roles.map((role) => `role = "${role}"`).join(' || ');
      const found = await client.run((records) =>
        records.collection('org_members').getList<MemberRecord>(1, most, {
          filter: records.filter(`org = {:org} && (${anyRole})`, { org }),
          skipTotal: true,
        }),
      );
      return found.items.map(({ github_id: githubId, login, role }) => ({ githubId, login, role }));
    },
  };
}
