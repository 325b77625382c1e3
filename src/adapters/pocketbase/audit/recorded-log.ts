import type { RecordedEntry, RecordedLog } from '../../../audit/ports.ts';
import type { ActivityData } from '../../../contract/activity.ts';
import type { LoggedOrganizations } from '../../../receipts/ports.ts';
import type { StoreClient } from '../client.ts';
import type { LogEntryRecord } from './log-entry-record.ts';

type RecordedEntryRecord = LogEntryRecord & {
  activity: string;
  data: ActivityData | null;
  subject: string;
  expand?: { user_id?: { github_id: number } };
};

export function createRecordedLog(client: StoreClient): RecordedLog {
  return {
    async organizations() {
      const found = await client.run((records) =>
        records
          .collection('organizations')
          .getFullList<{ id: string; org_id: number }>({ sort: 'id', fields: 'id,org_id' }),
      );
      return found.map(({ id, org_id: orgId }) => ({ id, orgId }));
    },

    async after(org, number, most) {
      const found = await client.run((records) =>
        records.collection('gh_activities').getList<RecordedEntryRecord>(1, most, {
          filter: records.filter('org = {:org} && entry_number > {:number}', { org, number }),
          sort: 'entry_number',
          expand: 'user_id',
          skipTotal: true,
        }),
      );
      return found.items.map(toRecorded);
    },
  };
}

function toRecorded({ entry_number: number, expand, ...record }: RecordedEntryRecord): RecordedEntry {
  const { id, leaf, event, person, salts, activity, data, subject, nodes, checkpoint } = record;
  const userGithubId = expand?.user_id?.github_id ?? null;
  return { number, id, leaf, event, person, salts, activity, data, subject, userGithubId, nodes, checkpoint };
}

export const createLoggedOrganizations = (client: StoreClient): LoggedOrganizations => ({
  async list(most) {
    const found = await client.run((records) =>
      records.collection('organizations').getList<{ id: string; org_id: number }>(1, most, {
        sort: 'created,id',
        fields: 'id,org_id',
        skipTotal: true,
      }),
    );
    return found.items.map(({ id, org_id }) => ({ id, orgId: org_id }));
  },
});
