import type { Installation, Organization, Organizations } from '../../../organizations/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { recordsOf } from '../records/records-of.ts';

export type OrganizationRecord = RecordOf<'organizations'>;
/** The fields that come from GitHub. */
type GitHubFields = Pick<
  OrganizationRecord,
  'org_id' | 'name' | 'installation_id' | 'account_type' | 'html_url' | 'suspended'
>;

export function createOrganizations(client: StoreClient, log: ActivityLog): Organizations {
  const stored = recordsOf(client, 'organizations');
  const find = (orgId: number) => stored.first({ org_id: orgId });
  const findByInstallation = (installationId: number) => stored.first({ installation_id: installationId });
  const toFound = (record: OrganizationRecord | null) => record && toOrganization(record);

  return {
    byInstallation: async (installationId) => toFound(await findByInstallation(installationId)),

    byId: async (recordId) => toFound(await stored.first({ id: recordId })),

    byOrgId: async (orgId) => toFound(await find(orgId)),

    async byName(name) {
      const values = { name: name.toLowerCase() };
      return toFound(await stored.first(['name:lower = {:name}', values], { sort: '-installation_id' }));
    },

    all: async () => (await stored.all({}, { sort: 'created,id' })).map(toOrganization),

    async save(installation) {
      const wanted = toFields(installation);
      const known = await find(wanted.org_id);
      if (known && isSame(known, wanted)) return toOrganization(known);
      const saved = known
        ? await stored.update(known.id, wanted)
        : ((await stored.createIfNew(wanted)) ?? (await find(wanted.org_id)));
      if (!saved) throw new AppError('storeUnavailable');
      return toOrganization(saved);
    },

    async removed(installationId) {
      const record = await findByInstallation(installationId);
      if (record) await stored.update(record.id, { installation_id: 0 });
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

function isSame(record: OrganizationRecord, wanted: GitHubFields): boolean {
  return Object.entries(wanted).every(([name, value]) => record[name as keyof OrganizationRecord] === value);
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
