import type PocketBase from 'pocketbase';
import type { Approval, ApprovalMethod, Approvals, NewApproval } from '../approvals/ports.ts';
import type { ActivityData } from '../contract/activity.ts';
import { first, isDuplicate, type StoreClient } from './client.ts';
import { newRecordId, recordIdOf } from './record-id.ts';

type ApprovalRecord = {
  id: string;
  org_id: number;
  repo_id: number;
  pr: number;
  base: string;
  head: string;
  login: string;
  installation_id: number;
  repo_name: string;
  method: ApprovalMethod;
  user_verified: boolean;
  reported: string;
  created: string;
};

export function createApprovals(client: StoreClient): Approvals {
  return {
    async add(approval) {
      try {
        await client.run((records) => addAtOnce(records, approval));
      } catch (error) {
        // The same person approved the same head into the same base before.
        if (!isDuplicate(error)) throw error;
      }
    },

    async ofHead(repoId, head) {
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

    async unreported() {
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
        };
      });
    },

    async reported(approvals) {
      const owed = approvals.filter(({ reported }) => !reported);
      if (owed.length === 0) return;
      await client.run((records) =>
        Promise.all(
          owed.map(({ id }) =>
            records.collection('approvals').update(id, { reported: new Date().toISOString() }),
          ),
        ),
      );
    },
  };
}

async function addAtOnce(records: PocketBase, approval: NewApproval): Promise<void> {
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
  batch.collection('gh_activities').create({
    id: activity,
    activity: approval.method === 'totp' ? 'totpCollect' : 'webauthnCollect',
    user_id: user.recordId,
    org: org.recordId,
    data: {
      type: approval.method,
      label: approval.label,
      login: user.login,
      user: user.login,
      sha: head,
      pr,
      repo: repo.name,
      org: org.login,
    } satisfies ActivityData,
  });
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
    login: record.login,
    method: record.method,
    userVerified: record.user_verified,
    at: new Date(record.created),
    reported: record.reported !== '',
  };
}
