import { AppError } from '../../app-error.ts';
import type { KnownGroup, MergeGroups } from '../../approvals/ports.ts';
import { createIfNew, first, ignoreMissing, type StoreClient } from '../client.ts';
import { recordIdOf } from './record-id.ts';

type GroupRecord = {
  repo_id: number;
  head: string;
  base_sha: string;
  base: string;
  pr: number;
  passed: boolean;
  failed: boolean;
  pull_head: string;
  installation_id: number;
  repo_name: string;
  since: string;
};

const UNFINISHED = 'finished = false && installation_id > 0';

export function createMergeGroups(client: StoreClient): MergeGroups {
  const idOf = (repoId: number, head: string) => recordIdOf(`merge-group:${repoId}:${head}`);
  const change = (repoId: number, head: string, fields: object) =>
    client.run((records) => records.collection('merge_groups').update(idOf(repoId, head), fields));
  const find: MergeGroups['find'] = async (repoId, head) => {
    const found = await client.run((records) =>
      first<GroupRecord>(records, 'merge_groups', 'repo_id = {:repoId} && head = {:head}', { repoId, head }),
    );
    return found && toGroup(found);
  };

  return {
    find,
    async add(repo, group, pullHead) {
      const fields = {
        id: idOf(group.repoId, group.head),
        repo_id: group.repoId,
        head: group.head,
        base_sha: group.baseSha,
        base: group.base,
        pr: group.pr,
        pull_head: pullHead,
        installation_id: repo.installation,
        repo_name: `${repo.owner}/${repo.name}`,
        since: client.clock.now().toISOString(),
      };
      const added = await createIfNew(() =>
        client.run((records) => records.collection('merge_groups').create<GroupRecord>(fields)),
      );
      const known = added ? toGroup(added) : await find(group.repoId, group.head);
      if (!known) throw new AppError('storeUnavailable', { cause: new Error('the merge group vanished') });
      return known;
    },
    async settle({ repoId, head }, verdict) {
      // Each verdict has a field that is only ever set, so no order of writes loses a failed one.
      await change(repoId, head, verdict === 'failed' ? { failed: true, passed: false } : { passed: true });
    },
    async finish(repoId, head) {
      await change(repoId, head, { finished: true }).catch(ignoreMissing);
    },
    async unfinished(on) {
      const found = await client.run((records) => {
        const built = on && records.filter('repo_id = {:repoId} && base_sha = {:baseSha}', on);
        const filter = [UNFINISHED, ...(built ? [built] : [])].join(' && ');
        return records.collection('merge_groups').getFullList<GroupRecord>({ filter, sort: 'since,@rowid' });
      });
      return found.map(toGroup);
    },
  };
}

function toGroup(record: GroupRecord): KnownGroup {
  const { repo_id, head, base_sha, base, pr, pull_head, installation_id, repo_name, since } = record;
  const [owner = '', name = ''] = repo_name.split('/');
  return {
    repo: { installation: installation_id, owner, name },
    repoId: repo_id,
    head,
    baseSha: base_sha,
    base,
    pr,
    pullHead: pull_head,
    verdict: verdictOf(record),
    since: new Date(since || 0),
  };
}

/** Schema 4 had only `passed`, and no installation. */
function verdictOf({ passed, failed, installation_id }: GroupRecord): KnownGroup['verdict'] {
  if (failed) return 'failed';
  if (passed) return 'passed';
  return installation_id > 0 ? 'waiting' : 'failed';
}
