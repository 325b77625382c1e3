import type PocketBase from 'pocketbase';
import { AppError } from '../../app-error.ts';
import type { Approvals, NewApproval } from '../../approvals/ports.ts';
import type { NewActivity } from '../../audit/ports.ts';
import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import { createIfNew, first, isMissingInBatch, type StoreClient } from '../client.ts';
import { type ApprovalRecord, toApproval, toRepository } from './approval-record.ts';
import { addActivity } from './effects.ts';
import { newRecordId, recordIdOf } from './record-id.ts';
import { createWithdrawals } from './withdrawals.ts';

export function createApprovals(client: StoreClient): Approvals {
  const listHead = (repoId: number, head: string) =>
    client.run((records) =>
      records.collection('approvals').getFullList<ApprovalRecord>({
        filter: records.filter('repo_id = {:repoId} && head = {:head}', { repoId, head }),
        sort: 'created,id',
      }),
    );

  return {
    ...createWithdrawals(client),

    async add(approval, activity) {
      try {
        // A duplicate: the same person has already approved the same head into the same base.
        await createIfNew(() =>
          client.run((records) =>
            addInBatch(records, { approval, entry: activity, now: client.clock.now() }),
          ),
        );
      } catch (error) {
        throw isMissingInBatch(error) ? new AppError('authenticatorNotFound') : error;
      }
    },

    async forHead(repoId, head) {
      return (await listHead(repoId, head)).filter(isValid).map(toApproval);
    },

    async historyOf(repoId, head) {
      const found = await listHead(repoId, head);
      const withdrawn = found.filter((record) => !isValid(record));
      return {
        valid: found.filter(isValid).map(toApproval),
        withdrawn: withdrawn.map(({ id, pr, withdrawal_unreported }) => ({
          id,
          pr,
          reported: !withdrawal_unreported,
        })),
      };
    },

    async previousHead(repoId, pr, head) {
      const found = await client.run((records) =>
        first<ApprovalRecord>(
          records,
          'approvals',
          'repo_id = {:repoId} && pr = {:pr} && head != {:head} && withdrawn = ""',
          { repoId, pr, head },
          { sort: '-created' },
        ),
      );
      return found?.head ?? null;
    },

    async unreportedHeads() {
      const found = await client.run((records) =>
        records.collection('approvals').getFullList<ApprovalRecord>({
          filter: '(reported = "" && withdrawn = "") || withdrawal_unreported = true',
          sort: 'created',
        }),
      );
      const heads = new Map(found.map((record) => [`${record.repo_id}:${record.head}`, record]));
      return [...heads.values()].map((record) => ({
        repo: toRepository(record),
        repoId: record.repo_id,
        head: record.head,
        orgId: record.org_id,
      }));
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

async function addInBatch(
  records: PocketBase,
  { approval, entry, now }: { approval: NewApproval; entry: NewActivity; now: Date },
): Promise<void> {
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
    authenticator: approval.authenticator,
  });
  // Fails if it was removed since the proof was verified, so that no approval is stored after a lost one's were withdrawn.
  batch
    .collection(authenticatorKinds[approval.method].collection)
    .update(approval.authenticator, { last_used: now.toISOString() });
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

const isValid = ({ withdrawn }: ApprovalRecord) => withdrawn === '';
