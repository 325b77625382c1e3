import type { KnownGroup, MergeGroup, MergeGroups } from '../../../approvals/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordIdOf, recordsOf, toRepository, type Wanted } from '../records/records-of.ts';

type GroupRecord = RecordOf<'merge_groups'>;

export function createMergeGroups(client: StoreClient, seals: RecordSeals): MergeGroups {
  const groups = recordsOf(client, 'merge_groups');
  const find: MergeGroups['find'] = async (repoId, head) => {
    const found = await groups.first({ repo_id: repoId, head });
    return found && toGroup(found, seals);
  };

  return {
    find,
    async add(repo, group, pullHead) {
      const added = await groups.createIfNew({
        ...seals.signed('merge_groups', toCovered({ ...group, pullHead })),
        installation_id: repo.installation,
        repo_name: `${repo.owner}/${repo.name}`,
        since: client.clock.now().toISOString(),
      });
      const known = added ? toGroup(added, seals) : await find(group.repoId, group.head);
      if (!known) throw new AppError('storeUnavailable', { cause: new Error('the merge group vanished') });
      return known;
    },
    async settle(group, verdict) {
      const passed = verdict === 'passed';
      const mac = seals.macOf('merge_groups', { ...toCovered(group), passed });
      // `failed` is only ever set, so no order of writes loses it.
      const id = idOf(group.repoId, group.head);
      await groups.update(id, { passed, mac, ...(!passed && { failed: true }) });
    },
    async finish(repoId, head) {
      await groups.update(idOf(repoId, head), { finished: true }).catch(ignoreMissing);
    },
    async unfinished(on) {
      const built = on && { repo_id: on.repoId, base_sha: on.baseSha };
      const found = await groups.all({ finished: false, ...built }, { sort: 'since,@rowid' });
      return found.map((record) => toGroup(record, seals));
    },
    async since(time) {
      const later: Wanted<GroupRecord> = ['since > {:time}', { time: time.toISOString() }];
      const found = await groups.all(later, { sort: '-since,-@rowid' });
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
  const { repo_id, head, base_sha, base, pr, pull_head, since } = record;
  return {
    repo: toRepository(record),
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
  return record.passed ? 'passed' : 'waiting';
}
