import type { Alarms } from '../approvals/ports.ts';
import type { ActivityData } from '../contract/activity.ts';
import { first, isDuplicate, type StoreClient } from './client.ts';
import { ownersOf } from './memberships.ts';
import { queue } from './notices.ts';
import { recordIdOf } from './record-id.ts';

export function createAlarms(client: StoreClient): Alarms {
  return {
    async raise({ orgId, repoId, repoName, pr, head, by }) {
      await client.run(async (records) => {
        const org = await first<{ id: string; name: string }>(records, 'organizations', 'org_id = {:orgId}', {
          orgId,
        });
        if (!org) return;
        const who = by
          ? await first<{ id: string }>(records, 'gh_users', 'github_id = {:id}', { id: by.id })
          : null;
        const login = by?.login ?? '';
        const batch = records.createBatch();
        batch.collection('gh_activities').create({
          // Its id makes it the only one: whoever comes second finds it there.
          id: recordIdOf(`unapproved-merge:${repoId}:${pr}`),
          activity: 'unapprovedMerge',
          user_id: who?.id ?? '',
          org: org.id,
          data: { login, sha: head, pr, repo: repoName, org: org.name } satisfies ActivityData,
        });
        const data = { org: org.name, by: login, label: `${repoName}#${pr}` };
        for (const userId of await ownersOf(records, org.id))
          queue(batch, { kind: 'unapprovedMerge', userId, data });
        await batch.send().catch((error: unknown) => {
          if (!isDuplicate(error)) throw error;
        });
      });
    },
  };
}
