import type { Restores } from '../../../organizations/ports.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { addEffectsOnce } from '../audit/effects.ts';
import { first, type StoreClient } from '../client.ts';
import { type OrganizationRecord, toOrganization } from '../organizations/organizations.ts';

export function createRestores(client: StoreClient, log: ActivityLog): Restores {
  const hasLog = ({ id: org }: OrganizationRecord) =>
    client.run((records) => first(records, 'gh_activities', 'org = {:org}', { org }));

  return {
    async logged() {
      const all = await client.run((records) =>
        records.collection('organizations').getFullList<OrganizationRecord>({ sort: 'created,id' }),
      );
      const found = [];
      for (const record of all) if (await hasLog(record)) found.push(toOrganization(record));
      return found;
    },

    async add({ orgRecordId, backupAt }, effects) {
      await addEffectsOnce(log, `restore:${orgRecordId}:${backupAt?.toISOString() ?? ''}`, effects);
    },
  };
}
