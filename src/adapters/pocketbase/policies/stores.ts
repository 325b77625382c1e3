import type { BatchService } from 'pocketbase';
import { DEFAULT_POLICY } from '../../../contract/default-policy.ts';
import { parsePolicy } from '../../../contract/policy.ts';
import { UNMEETABLE_POLICY } from '../../../policies/policy.ts';
import type { Policies, StoredPolicy } from '../../../policies/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { type StoreClient, tryToStore } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';

export function createPolicies(client: StoreClient, log: ActivityLog, seals: RecordSeals): Policies {
  return {
    async inForce(orgId) {
      const options = { sort: '-number', expand: 'org' };
      const newest = await recordsOf(client, 'policies').first(['org.org_id = {:orgId}', { orgId }], options);
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
      const record = seals.signed('policies', fields, { org: { org_id: orgId } });
      const change = (batch: BatchService) => batch.collection('policies').create(record);
      return tryToStore(() => log.send(effects, { change }));
    },
  };
}

/** An older record says nothing: what replaced it may have been stricter. */
function toStored(record: RecordOf<'policies'>, seals: RecordSeals): StoredPolicy {
  const { number, by_login: by } = record;
  const parsed = seals.isOurs('policies', record) ? parsePolicy(record.policy) : null;
  return { policy: parsed?.policy ?? UNMEETABLE_POLICY, number, by };
}
