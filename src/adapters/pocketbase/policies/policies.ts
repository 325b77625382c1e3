import type { BatchService } from 'pocketbase';
import { DEFAULT_POLICY, parsePolicy } from '../../../contract/policy.ts';
import { UNMEETABLE_POLICY } from '../../../policies/policy.ts';
import type { Policies, StoredPolicy } from '../../../policies/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';
import { newRecordId } from '../records/record-id.ts';
import type { RecordSeals } from '../records/record-seals.ts';

type PolicyRecord = {
  id: string;
  org: string;
  number: number;
  policy: unknown;
  by: string;
  by_login: string;
  mac: string;
};

export function createPolicies(client: StoreClient, log: ActivityLog, seals: RecordSeals): Policies {
  return {
    async inForce(orgId) {
      const newest = await client.run((records) =>
        first<PolicyRecord>(
          records,
          'policies',
          'org.org_id = {:orgId}',
          { orgId },
          { sort: '-number', expand: 'org' },
        ),
      );
      return newest ? toStored(newest, seals) : { policy: DEFAULT_POLICY, number: 0 };
    },

    save({ id: org, orgId }, { policy, replaces, by, signed }, effects) {
      const fields = {
        id: newRecordId(),
        org,
        number: replaces + 1,
        policy,
        by: by.userId,
        by_login: by.login,
        statement: signed?.statement ?? null,
        assertion: signed?.assertion ?? null,
        public_key: signed?.publicKey ?? '',
      };
      const mac = seals.macOf('policies', { ...fields, expand: { org: { org_id: orgId } } });
      const change = (batch: BatchService) => batch.collection('policies').create({ ...fields, mac });
      return createIfNew(() => log.send(effects, { change })).then((sent) => sent !== null);
    },
  };
}

/** An older record says nothing: what replaced it may have been stricter. */
function toStored(record: PolicyRecord, seals: RecordSeals): StoredPolicy {
  const { number } = record;
  const parsed = seals.isOurs('policies', record) ? parsePolicy(record.policy) : null;
  return { policy: parsed?.policy ?? UNMEETABLE_POLICY, number };
}
