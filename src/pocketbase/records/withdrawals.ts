import type PocketBase from 'pocketbase';
import type { LocatedApproval, Withdrawals } from '../../approvals/ports.ts';
import type { Effects } from '../../audit/ports.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';
import { type ApprovalRecord, toApproval, toRepository } from './approval-record.ts';
import { addActivity } from './effects.ts';
import { queueNotice } from './notices.ts';
import { consumeKeyInBatch } from './one-time-keys.ts';
import { newRecordId, recordIdOf } from './record-id.ts';
import type { RecordSeals } from './record-seals.ts';

const OF_PERSON = 'org_id = {:orgId} && user_id = {:githubId} && withdrawn = ""';
const VALID = 'id = {:id} && withdrawn = ""';
/** Approvals of earlier versions don't say which authenticator made them, so all of the same kind count. */
const MADE_WITH = '(authenticator = {:id} || (authenticator = "" && method = {:method}))';

/** What OTP Guard didn't write counts for nothing, so it isn't withdrawn either. */
export function createWithdrawals(client: StoreClient, seals: RecordSeals): Withdrawals {
  const isOurs = (record: ApprovalRecord) => seals.isOurs('approvals', record);
  const list = async (filter: string, values: Record<string, unknown>, since = new Date(0)) => {
    const found = await client.run((records) =>
      records
        .collection('approvals')
        .getFullList<ApprovalRecord>({ filter: records.filter(filter, values), sort: '-created,id' }),
    );
    return found
      .filter((record) => isMadeSince(record, since) && isOurs(record))
      .map((record) => ({ ...toApproval(record), repo: toRepository(record) }));
  };

  return {
    ofPerson: (wanted) => list(`${OF_PERSON} && head = {:head}`, wanted),

    madeWith: ({ id, method, holder, org, since }) =>
      list(`${OF_PERSON} && ${MADE_WITH}`, { orgId: org.id, githubId: holder.githubId, id, method }, since),

    async withdraw(approval, effects) {
      const now = client.clock.now();
      const sent = await createIfNew(() =>
        client.run(async (records) => {
          const stored = await first<ApprovalRecord>(records, 'approvals', VALID, { id: approval.id });
          if (!stored || !isOurs(stored)) return null;
          const withdrawn = `${now.toISOString()} ${approval.id}`;
          const mac = seals.macOf('approvals', { ...stored, withdrawn });
          return withdrawInBatch(records, approval, { effects, now, fields: { withdrawn, mac } });
        }),
      );
      return sent !== null;
    },

    async markWithdrawalsReported(withdrawn) {
      const unreported = withdrawn.filter(({ reported }) => !reported);
      if (unreported.length === 0) return;
      await client.run((records) =>
        Promise.all(
          unreported.map(({ id }) =>
            records.collection('approvals').update(id, { withdrawal_unreported: false }),
          ),
        ),
      );
    },
  };
}

/** By either time: a change of the record's own, which nothing signs, must not keep an approval. */
function isMadeSince({ created, statement }: ApprovalRecord, since: Date): boolean {
  const endOfSecond = ((statement?.iat ?? 0) + 1) * 1000;
  return Math.max(Date.parse(created), endOfSecond) >= since.getTime();
}

function withdrawInBatch(
  records: PocketBase,
  { id, repoId, pr, head }: LocatedApproval,
  { effects, now, fields }: { effects: Effects; now: Date; fields: { withdrawn: string; mac: string } },
): Promise<unknown> {
  const activity = newRecordId();
  const batch = records.createBatch();
  // Of two withdrawals, only one is logged.
  consumeKeyInBatch(batch, `withdrawn:${id}`);
  batch.collection('approvals').update(id, { ...fields, withdrawal_unreported: true });
  addActivity(batch, effects.activity, activity);
  batch.collection('gh_commits').upsert({
    id: recordIdOf(`commit:${repoId}:${pr}:${head}`),
    repo_id: repoId,
    commit: head,
    pr,
    org: effects.activity.orgRecordId,
    'activity_ids+': activity,
  });
  for (const notice of effects.notices) queueNotice(batch, notice, now);
  return batch.send();
}
