import type { CommitTrees } from '../../../approvals/ports.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';
import { recordIdOf } from '../records/record-id.ts';
import type { RecordSeals } from '../records/record-seals.ts';

type TreeRecord = { id: string; head: string; tree: string; mac: string };

export function createCommitTrees(client: StoreClient, seals: RecordSeals): CommitTrees {
  return {
    async save(head, tree) {
      const covered = { id: recordIdOf(`tree:${head}`), head, tree };
      const fields = { ...covered, mac: seals.macOf('commit_trees', covered) };
      // A commit's hash covers its tree, so another record for it would say the same.
      await createIfNew(() => client.run((records) => records.collection('commit_trees').create(fields)));
    },

    async of(head) {
      const found = await client.run((records) =>
        first<TreeRecord>(records, 'commit_trees', 'head = {:head}', { head }),
      );
      return found && seals.isOurs('commit_trees', found) ? found.tree : null;
    },
  };
}
