import type { StoredDecisions } from '../../../approvals/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';
import { deploymentField, isDecision, toDecision } from './approval-record.ts';
import { createStoreGiven } from './store-given.ts';

/** The decisions about deployments, which are records of the same collection as approvals. */
export function createDecisions(client: StoreClient, log: ActivityLog, seals: RecordSeals): StoredDecisions {
  const approvals = recordsOf(client, 'approvals');
  const store = createStoreGiven(client, log, seals);
  return {
    add: async (decision, effects) => (await store(decision, effects))?.checkpoint ?? null,

    async of(key) {
      const wanted = { deployment: deploymentField(key), repo_id: key.repoId, withdrawn: '' };
      const found = await approvals.all(wanted, { sort: 'created,id' });
      const decisions = found
        .filter((record) => isDecision(record) && seals.isOurs('approvals', record))
        .map(toDecision);
      // The field that finds them isn't covered by the MAC.
      return decisions.filter((decision) => deploymentField(decision) === deploymentField(key));
    },
  };
}
