import type { MergeGroups } from '../approvals/ports.ts';
import { first, type StoreClient } from './client.ts';
import { recordIdOf } from './record-id.ts';

type GroupRecord = {
  repo_id: number;
  head: string;
  base_sha: string;
  base: string;
  pr: number;
  passed: boolean;
};

export function createMergeGroups(client: StoreClient): MergeGroups {
  return {
    async save({ repoId, head, baseSha, base, pr }, passed) {
      const id = recordIdOf(`merge-group:${repoId}:${head}`);
      await client.run(async (records) => {
        const batch = records.createBatch();
        batch
          .collection('merge_groups')
          .upsert({ id, repo_id: repoId, head, base_sha: baseSha, base, pr, passed });
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
      const { repo_id, base_sha, base, pr, passed } = found;
      return { repoId: repo_id, head: found.head, baseSha: base_sha, base, pr, passed };
    },
  };
}
