import type PocketBase from 'pocketbase';
import type { Approval, Approvals, NewApproval } from '../../approvals/ports.ts';
import type { NewActivity } from '../../audit/ports.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';
import { addActivity } from './effects.ts';
import { newRecordId, recordIdOf } from './record-id.ts';

type ApprovalRecord = {
  id: string;
  org_id: number;
  repo_id: number;
  pr: number;
  base: string;
  head: string;
  user_id: number;
  login: string;
  installation_id: number;
  repo_name: string;
  method: Approval['method'];
  user_verified: boolean;
  reported: string;
  created: string;
};

export function createApprovals(client: StoreClient): Approvals {
  return {
    async add(approval, activity) {
      // A duplicate: the same person has already approved the same head into the same base.
      await createIfNew(() => client.run((records) => addInBatch(records, approval, activity)));
    },

    async forHead(repoId, head) {
      const found = await client.run((records) =>
        records.collection('approvals').getFullList<ApprovalRecord>({
          filter: records.filter('repo_id = {:repoId} && head = {:head}', { repoId, head }),
          sort: 'created,id',
        }),
      );
      return found.map(toApproval);
    },

    async previousHead(repoId, pr, head) {
      const found = await client.run((records) =>
        first<ApprovalRecord>(
          records,
          'approvals',
          'repo_id = {:repoId} && pr = {:pr} && head != {:head}',
          { repoId, pr, head },
          { sort: '-created' },
        ),
      );
      return found?.head ?? null;
    },

    async unreportedHeads() {
      const found = await client.run((records) =>
        records
          .collection('approvals')
          .getFullList<ApprovalRecord>({ filter: 'reported = ""', sort: 'created' }),
      );
      const heads = new Map(found.map((record) => [`${record.repo_id}:${record.head}`, record]));
      return [...heads.values()].map((record) => {
        const [owner = '', name = ''] = record.repo_name.split('/');
        return {
          repo: { installation: record.installation_id, owner, name },
          repoId: record.repo_id,
          head: record.head,
          orgId: record.org_id,
        };
      });
    },

    async markReported(approvals) {
      const unreported = approvals.filter(({ reported }) => !reported);
      if (unreported.length === 0) return;
      await client.run((records) =>
        Promise.all(
          unreported.map(({ id }) =>
            records.collection('approvals').update(id, { reported: client.clock.now().toISOString() }),
          ),
        ),
      );
    },
  };
}

async function addInBatch(records: PocketBase, approval: NewApproval, entry: NewActivity): Promise<void> {
  const { repo, pr, base, head, org, user } = approval;
  const activity = newRecordId();
  const batch = records.createBatch();
  batch.collection('approvals').create({
    repo_id: repo.id,
    pr,
    base,
    head,
    user_id: user.id,
    login: user.login,
    org_id: org.id,
    installation_id: repo.installation,
    repo_name: `${repo.owner}/${repo.name}`,
    method: approval.method,
    user_verified: approval.userVerified,
    statement: approval.statement,
    assertion: approval.proof?.assertion ?? null,
    public_key: approval.proof?.publicKey ?? '',
  });
  addActivity(batch, entry, activity);
  batch.collection('gh_commits').upsert({
    id: recordIdOf(`commit:${repo.id}:${pr}:${head}`),
    repo_id: repo.id,
    commit: head,
    pr,
    org: org.recordId,
    'activity_ids+': activity,
  });
  await batch.send();
}

function toApproval(record: ApprovalRecord): Approval {
  return {
    id: record.id,
    orgId: record.org_id,
    repoId: record.repo_id,
    pr: record.pr,
    base: record.base,
    head: record.head,
    githubId: record.user_id,
    login: record.login,
    method: record.method,
    userVerified: record.user_verified,
    at: new Date(record.created),
    reported: record.reported !== '',
  };
}
