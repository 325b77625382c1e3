import type { KnownGroup, MergeGroup, MergeGroups } from '../../../approvals/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import { createIfNew, first, ignoreMissing, type StoreClient } from '../client.ts';
import { recordIdOf } from '../records/record-id.ts';
import type { RecordSeals } from '../records/record-seals.ts';

type GroupRecord = {
  id: string;
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

export function createMergeGroups(client: StoreClient, seals: RecordSeals): MergeGroups {
  const change = (repoId: number, head: string, fields: object) =>
    client.run((records) => records.collection('merge_groups').update(idOf(repoId, head), fields));
  const find: MergeGroups['find'] = async (repoId, head) => {
    const found = await client.run((records) =>
      first<GroupRecord>(records, 'merge_groups', 'repo_id = {:repoId} && head = {:head}', { repoId, head }),
    );
    return found && toGroup(found, seals);
  };

  return {
    find,
    async add(repo, group, pullHead) {
      const covered = toCovered({ ...group, pullHead });
      const fields = {
        ...covered,
        mac: seals.macOf('merge_groups', covered),
        installation_id: repo.installation,
        repo_name: `${repo.owner}/${repo.name}`,
        since: client.clock.now().toISOString(),
      };
      const added = await createIfNew(() =>
        client.run((records) => records.collection('merge_groups').create<GroupRecord>(fields)),
      );
      const known = added ? toGroup(added, seals) : await find(group.repoId, group.head);
      if (!known) throw new AppError('storeUnavailable', { cause: new Error('the merge group vanished') });
      return known;
    },
    async settle(group, verdict) {
      const passed = verdict === 'passed';
      const mac = seals.macOf('merge_groups', { ...toCovered(group), passed });
      // `failed` is only ever set, so no order of writes loses it.
      await change(group.repoId, group.head, { passed, mac, ...(!passed && { failed: true }) });
    },
    async finish(repoId, head) {
      await change(repoId, head, { finished: true }).catch(ignoreMissing);
    },
    async unfinished(on) {
      const found = await client.run((records) => {
        const built = on && records.filter('repo_id = {:repoId} && base_sha = {:baseSha}', on);
        const filter = ['finished = false', ...(built ? [built] : [])].join(' && ');
        return records.collection('merge_groups').getFullList<GroupRecord>({ filter, sort: 'since,@rowid' });
      });
      return found.map((record) => toGroup(record, seals));
    },
    async since(time) {
      const found = await client.run((records) => {
        const filter = records.filter('since > {:time}', { time: time.toISOString() });
        return records
          .collection('merge_groups')
          .getFullList<GroupRecord>({ filter, sort: '-since,-@rowid' });
      });
      return found.map((record) => toGroup(record, seals));
    },
  };
}

const idOf = (repoId: number, head: string) => recordIdOf(`merge-group:${repoId}:${head}`);

function toCovered({ repoId, head, baseSha, base, pr, pullHead }: MergeGroup & { pullHead: string }) {
  const id = idOf(repoId, head);
  return { id, repo_id: repoId, head, base_sha: baseSha, base, pr, pull_head: pullHead };
}

function toGroup(record: GroupRecord, seals: RecordSeals): KnownGroup {
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
    verdict: verdictOf(record, seals),
    since: new Date(since),
  };
}

/** A group that OTP Guard didn't write can't pass, nor be built upon. */
function verdictOf(record: GroupRecord, seals: RecordSeals): KnownGroup['verdict'] {
  // The MAC of a group that failed may be from before that.
  if (record.failed || !seals.isOurs('merge_groups', record)) return 'failed';
  if (record.passed) return 'passed';
  return 'waiting';
}
