import type { MergeGroups } from '../../approvals/ports.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';
import { recordIdOf } from './record-id.ts';

type GroupRecord = {
  repo_id: number;
  head: string;
  base_sha: string;
  base: string;
  pr: number;
  passed: boolean;
  pull_head: string;
};

export function createMergeGroups(client: StoreClient): MergeGroups {
  return {
    async save({ repoId, head, baseSha, base, pr, passed, pullHead }) {
      const id = recordIdOf(`merge-group:${repoId}:${head}`);
      const fields = {
        repo_id: repoId,
        head,
        base_sha: baseSha,
        base,
        pr,
        passed,
        pull_head: pullHead,
      };
      await client.run(async (records) => {
        // Only a failed verdict overwrites a stored one: a group that failed once stays failed.
        if (passed) {
          await createIfNew(() => records.collection('merge_groups').create({ id, ...fields }));
          return;
        }
        const batch = records.createBatch();
        batch.collection('merge_groups').upsert({ id, ...fields });
        await batch.send();
      });
    },
    async find(repoId, head) {
      const found = await client.run((records) =>
        first<GroupRecord>(records, 'merge_groups', 'repo_id = {:repoId} && head = {:head}', {
          repoId,
          head,
        }),
      );
      if (!found) return null;
      const { repo_id, base_sha, base, pr, passed, pull_head } = found;
      return { repoId: repo_id, head: found.head, baseSha: base_sha, base, pr, passed, pullHead: pull_head };
    },
  };
}
