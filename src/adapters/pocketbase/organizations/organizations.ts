import type { Installation, Organization, Organizations, Restores } from '../../../organizations/ports.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { addEffectsOnce } from '../audit/effects.ts';
import type { StoreClient } from '../client.ts';
import { recordsOf } from '../records/records-of.ts';
import type { RecordOf } from '../schema/collections.ts';

export type OrganizationRecord = RecordOf<'organizations'>;
/** The fields that come from GitHub. */
type GitHubFields = Pick<
  OrganizationRecord,
  'org_id' | 'name' | 'installation_id' | 'account_type' | 'html_url' | 'suspended'
>;

export function createOrganizations(client: StoreClient, log: ActivityLog): Organizations {
  const all = recordsOf(client, 'organizations');
  const find = (orgId: number) => all.first({ org_id: orgId });
  const findByInstallation = (installationId: number) => all.first({ installation_id: installationId });
  const toFound = (record: OrganizationRecord | null) => record && toOrganization(record);

  return {
    byInstallation: async (installationId) => toFound(await findByInstallation(installationId)),

    byId: async (recordId) => toFound(await all.first({ id: recordId })),

    byOrgId: async (orgId) => toFound(await find(orgId)),

    async byName(name) {
      const values = { name: name.toLowerCase() };
      return toFound(await all.first(['name:lower = {:name}', values], { sort: '-installation_id' }));
    },

    async save(installation) {
      const wanted = toFields(installation);
      const known = await find(wanted.org_id);
      if (known && isSame(known, wanted)) return toOrganization(known);
      const saved = known
        ? await all.update(known.id, wanted)
        : ((await all.createIfNew(wanted)) ?? (await find(wanted.org_id)));
      if (!saved) throw new AppError('storeUnavailable');
      return toOrganization(saved);
    },

    async removed(installationId) {
      const record = await findByInstallation(installationId);
      if (record) await all.update(record.id, { installation_id: 0 });
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
  const entries = recordsOf(client, 'gh_activities');
  return {
    async logged() {
      const found = [];
      for (const org of await recordsOf(client, 'organizations').all({}, { sort: 'created,id' }))
        if (await entries.first({ org: org.id })) found.push(toOrganization(org));
      return found;
    },

    async add({ orgRecordId, backupAt }, effects) {
      await addEffectsOnce(log, `restore:${orgRecordId}:${backupAt?.toISOString() ?? ''}`, effects);
    },
  };
}
