import type { CommitTrees } from '../../../approvals/ports.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';

export function createCommitTrees(client: StoreClient, seals: RecordSeals): CommitTrees {
  const trees = recordsOf(client, 'commit_trees');
  return {
    async save(head, tree) {
      // A commit's hash covers its tree, so another record for it would say the same.
      await trees.createIfNew(seals.signed('commit_trees', { id: recordIdOf(`tree:${head}`), head, tree }));
    },

    async of(head) {
      const found = await trees.first('head = {:head}', { head });
      return found && seals.isOurs('commit_trees', found) ? found.tree : null;
    },
  };
}
