import type { LocatedDenial, LocatedGiven, Withdrawable, Withdrawals } from '../../../approvals/ports.ts';
import { recordSubject } from '../../../audit/subjects.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { withSubject } from '../audit/effects.ts';
import { createIfNew, type StoreClient } from '../client.ts';
import { consumeKeyInBatch } from '../records/one-time-keys.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordsOf, toRepository, type Wanted } from '../records/records-of.ts';
import { type ApprovalRecord, isOf, linkToCommit, toStored } from './approval-record.ts';

const VALID = { withdrawn: '' };

/** A record that OTP Guard didn't write counts for nothing, so it isn't withdrawn either. */
export function createWithdrawals(client: StoreClient, log: ActivityLog, seals: RecordSeals): Withdrawals {
  const isOurs = (record: ApprovalRecord) => seals.isOurs('approvals', record);
  const approvals = recordsOf(client, 'approvals');
  const listRecords = async (wanted: Wanted<ApprovalRecord>) => {
    // In pages that the store answers quickly: an approval of a batch can have thousands of characters.
    const found = await approvals.all(wanted, { sort: '-created,-id', batch: 200 });
    return found.filter(isOurs);
  };
  const list = async (wanted: Wanted<ApprovalRecord>) =>
    (await listRecords(wanted)).map(located).filter(isOfHead);
  const listDenials = async (wanted: Wanted<ApprovalRecord>) => (await list(wanted)).filter(isLocatedDenial);

  return {
    ofPerson: ({ orgId, githubId, head }) => list({ org_id: orgId, user_id: githubId, ...VALID, head }),

    async madeWith({ id, holder, org, since }) {
      const wanted = { org_id: org.id, user_id: holder.githubId, ...VALID, authenticator: id };
      const found = (await listRecords(wanted)).filter((record) => isMadeSince(record, since));
      return found.map(located);
    },

    async deniers(orgId) {
      const wanted = { org_id: orgId, kind: 'deny', from_outside: false, ...VALID };
      const found = await approvals.all(wanted, { fields: 'user_id,login' });
      const people = new Map(found.map(({ user_id: githubId, login }) => [githubId, { githubId, login }]));
      return [...people.values()];
    },

    denialsOf: ({ orgId, githubId }) =>
      listDenials({ org_id: orgId, kind: 'deny', user_id: githubId, ...VALID }),

    findDenial: async (orgId, id) => (await listDenials({ id, org_id: orgId, ...VALID }))[0] ?? null,

    async withdraw(approval, effects) {
      const stored = await approvals.first({ id: approval.id, ...VALID });
      if (!stored || !isOurs(stored)) return false;
      const isDecision = isOf('deploy', 'reject')(stored);
      const withdrawn = `${client.clock.now().toISOString()} ${approval.id}`;
      const mac = seals.macOf('approvals', { ...stored, withdrawn });
      const sent = await createIfNew(() =>
        log.send(withSubject(effects, recordSubject('approvals', approval.id)), {
          change(batch) {
            // Only one of two simultaneous withdrawals is logged.
            consumeKeyInBatch(batch, `withdrawn:${approval.id}`);
            batch
              .collection('approvals')
              .update(approval.id, { withdrawn, mac, withdrawal_unreported: !isDecision });
          },
          ...(!isDecision && linkToCommit(client, { ...approval, org: effects.activity.orgRecordId })),
        }),
      );
      return sent !== null;
    },
  };
}

const located = (record: ApprovalRecord): LocatedGiven => ({
  ...toStored(record),
  repo: toRepository(record),
});

const isOfHead = (one: LocatedGiven): one is Withdrawable => one.run === undefined;
const isLocatedDenial = (one: Withdrawable): one is LocatedDenial => one.reason !== undefined;

/** Either time counts: a change of the record's own, which nothing signs, must not keep an approval. */
function isMadeSince({ created, statement }: ApprovalRecord, since: Date): boolean {
  const endOfSecond = ((statement?.iat ?? 0) + 1) * 1000;
  return Math.max(Date.parse(created), endOfSecond) >= since.getTime();
}
