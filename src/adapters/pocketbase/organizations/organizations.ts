import type { Installation, Organization, Organizations, Restores } from '../../../organizations/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { addEffectsOnce } from '../audit/effects.ts';
import { createIfNew, first, type StoreClient } from '../client.ts';

export type OrganizationRecord = {
  id: string;
  org_id: number;
  name: string;
  installation_id: number;
  account_type: 'Organization' | 'User';
  html_url: string;
  suspended: boolean;
  members_at: string;
};
/** The fields that come from GitHub. */
type GitHubFields = Omit<OrganizationRecord, 'id' | 'members_at'>;

export function createOrganizations(client: StoreClient, log: ActivityLog): Organizations {
  const find = (orgId: number) =>
    client.run((records) =>
      first<OrganizationRecord>(records, 'organizations', 'org_id = {:orgId}', { orgId }),
    );

  const findByInstallation = (installationId: number) =>
    client.run((records) =>
      first<OrganizationRecord>(records, 'organizations', 'installation_id = {:installationId}', {
        installationId,
      }),
    );

  return {
    async byInstallation(installationId) {
      const record = await findByInstallation(installationId);
      return record && toOrganization(record);
    },

    async byId(recordId) {
      const record = await client.run((records) =>
        first<OrganizationRecord>(records, 'organizations', 'id = {:recordId}', { recordId }),
      );
      return record && toOrganization(record);
    },

    async byOrgId(orgId) {
      const record = await find(orgId);
      return record && toOrganization(record);
    },

    async byName(name) {
      const record = await client.run((records) =>
        first<OrganizationRecord>(
          records,
          'organizations',
          'name:lower = {:name}',
          { name: name.toLowerCase() },
          { sort: '-installation_id' },
        ),
      );
      return record && toOrganization(record);
    },

    async save(installation) {
      const wanted = toFields(installation);
      const known = await find(wanted.org_id);
      if (known && isSame(known, wanted)) return toOrganization(known);
      const saved = await client.run(async (records) => {
        const organizations = records.collection('organizations');
        if (known) return organizations.update<OrganizationRecord>(known.id, wanted);
        const made = await createIfNew(() => organizations.create<OrganizationRecord>(wanted));
        return made ?? (await find(wanted.org_id));
      });
      if (!saved) throw new AppError('storeUnavailable');
      return toOrganization(saved);
    },

    async removed(installationId) {
      const record = await findByInstallation(installationId);
      if (!record) return;
      await client.run((records) =>
        records.collection('organizations').update(record.id, { installation_id: 0 }),
      );
    },

    async setImage(org, image, activity) {
      await log.send(
        { activity, notices: [] },
        { change: (batch) => batch.collection('organizations').update(org.id, { image }) },
      );
    },
  };
}

function toFields({ id, account, suspended }: Installation): GitHubFields {
  return {
    org_id: account.id,
    name: account.login,
    installation_id: id,
    account_type: account.type,
    html_url: account.htmlUrl,
    suspended,
  };
}

function isSame(known: OrganizationRecord, wanted: GitHubFields): boolean {
  return Object.entries(wanted).every(([name, value]) => known[name as keyof OrganizationRecord] === value);
}

export function toOrganization(record: OrganizationRecord): Organization {
  return {
    id: record.id,
    orgId: record.org_id,
    name: record.name,
    installationId: record.installation_id,
    accountType: record.account_type,
    suspended: record.suspended,
    htmlUrl: record.html_url,
    membersAt: record.members_at ? new Date(record.members_at) : null,
  };
}

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
