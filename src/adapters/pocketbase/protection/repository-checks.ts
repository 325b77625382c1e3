import type { RepositoryState } from '../../../contract/organization-health.ts';
import { gateOf } from '../../../protection/environments.ts';
import type {
  DueRepository,
  Noted,
  RepositoryCheck,
  RepositoryChecks,
  WatchedRepository,
} from '../../../protection/ports.ts';
import { type StoreClient, sendBatches, storeTime, storeUnlessTooLarge } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { contains, createCount } from '../records/count.ts';
import { recordIdOf, recordsOf } from '../records/records-of.ts';
import { isActive } from '../schema/readers.ts';

type CheckRecord = RecordOf<'repository_checks'>;
type DueRecord = CheckRecord & { expand: { org: RecordOf<'organizations'> } };

/** Which records each list of repositories shows. */
const STATES: Record<RepositoryState, string> = {
  all: '',
  protected: ' && required = "thisApp"',
  // A workflow of the pull request's author can post such a check.
  anySource: ' && required = "anySource"',
  notEnforced: ' && required = "no"',
  unknown: ' && (required = "unknown" || required = "")',
  bypass: ' && required = "thisApp" && bypass_state = "some"',
  bypassUnknown:
    ' && required = "thisApp" && bypass_state != "some" && bypass_state != "nobody" && bypass_state != "said"',
};
/** Nobody may bypass there, by the word of an owner. */
const SAID = ' && required = "thisApp" && bypass_state = "said"';
const GATED = '(gate = "open" || gate = "closed" || gate = "unsure")';
const UNCHECKED = ' && required = ""';
const OF_ORG = 'org = {:org} && gone = false';

const idOf = (repoId: number) => recordIdOf(`repository:${repoId}`);
export function createRepositoryChecks(client: StoreClient): RepositoryChecks {
  const countRecords = createCount(client);
  const checks = recordsOf(client, 'repository_checks');
  const withOrg = recordsOf<DueRecord>(client, 'repository_checks');

  return {
    async sync(orgRecordId, repositories) {
      const known = new Map((await checks.all({ org: orgRecordId })).map((record) => [record.id, record]));
      const due = storeTime(client.clock.now());
      const changed = repositories.flatMap((repository) => {
        const before = known.get(idOf(repository.id));
        known.delete(idOf(repository.id));
        return changeOf(before, { repository, org: orgRecordId, due });
      });
      const left = [...known.values()].filter(({ gone }) => !gone);
      await upsertAll(client, [...changed, ...left.map(({ id }) => ({ id, gone: true }))]);
    },

    async put(org, repository) {
      const known = await checks.first({ org, repo_id: repository.id });
      const changes = changeOf(known ?? undefined, { repository, org, due: storeTime(client.clock.now()) });
      await upsertAll(client, changes);
    },

    async remove(repoIds) {
      for (const id of repoIds) await checks.updateIfThere(idOf(id), { gone: true });
    },

    async due(now, { most, except = [], only }) {
      const values = Object.fromEntries(except.map((org, at) => [`org${at}`, org]));
      const others = except.map((_org, at) => ` && org != {:org${at}}`).join('');
      const own = only === undefined ? '' : ' && org = {:only}';
      const found = await withOrg.page(
        most,
        [
          `due <= {:now} && gone = false && ${isActive('org')}${others}${own}`,
          { ...values, only, now: storeTime(now) },
        ],
        { sort: 'due', expand: 'org', fields: 'repo_id,org,name,expand.org' },
      );
      return found.map(toDue);
    },

    async get(repoId) {
      const wanted = `id = {:id} && gone = false && ${isActive('org')}`;
      const found = await withOrg.first([wanted, { id: idOf(repoId) }], { expand: 'org' });
      return found && toWatched(found);
    },

    async save({ id, orgRecordId: org, defaultBranch }, { required, bypass, known, environments, at, due }) {
      // It may have gone to another organization, whose log has nothing to do with this reading.
      const record = await checks.first({ id: idOf(id), org });
      if (!record) return true;
      const before = new Date(record.due);
      const isMarked = before >= at && before <= client.clock.now();
      const noted = record.noted && new Date(record.noted.at) >= at ? record.noted : null;
      const change = {
        default_branch: defaultBranch,
        required,
        protection: known,
        noted,
        bypass,
        bypass_state: bypass?.state === 'nobody' && bypass.said ? 'said' : (bypass?.state ?? ''),
        environments,
        gate: gateOf(environments),
        checked: storeTime(at),
        due: storeTime(isMarked ? before : due),
      };
      return storeUnlessTooLarge(() => checks.updateIfThere(idOf(id), change));
    },

    postpone: async (repoId, due) => void (await checks.updateIfThere(idOf(repoId), { due: storeTime(due) })),

    async markDue(which) {
      const now = storeTime(client.clock.now());
      const change = { due: now, ...(which.noted && { noted: toNotedJson(which.noted) }) };
      if ('repoId' in which) return void (await checks.updateIfThere(idOf(which.repoId), change));
      const before = storeTime(which.checkedBefore);
      const values = { org: which.orgRecordId, before, now };
      const wanted = 'org = {:org} && checked < {:before} && due > {:now}';
      const found = await checks.all([wanted, values]);
      await upsertAll(
        client,
        found.map(({ id }) => ({ id, ...change })),
      );
    },

    async counts(org) {
      const count = (condition: string) =>
        countRecords('repository_checks', `${OF_ORG}${condition}`, { org });
      const [total, isProtected, some, said, unknownBypass, anySource, notEnforced, unchecked] =
        await Promise.all([
          count(STATES.all),
          count(STATES.protected),
          count(STATES.bypass),
          count(SAID),
          count(STATES.bypassUnknown),
          count(STATES.anySource),
          count(STATES.notEnforced),
          count(UNCHECKED),
        ]);
      const unknown = total - isProtected - anySource - notEnforced;
      const nobody = isProtected - some - said - unknownBypass;
      const bypass = { nobody, said, some, unknown: unknownBypass };
      return { total, protected: isProtected, anySource, notEnforced, unknown, unchecked, bypass };
    },

    async gates(org) {
      const count = (condition: string) =>
        countRecords('repository_checks', `${OF_ORG} && ${condition}`, { org });
      const [gated, open, unknown] = await Promise.all([
        count(GATED),
        count('gate = "open"'),
        count('(gate = "unsure" || gate = "unknown")'),
      ]);
      return { gated, open, unknown };
    },

    async gated() {
      const wanted = `${GATED} && gone = false && ${isActive('org')}`;
      const ofOrg = 'expand.org.name,expand.org.installation_id,expand.org.org_id';
      const found = await withOrg.all([wanted, {}], {
        expand: 'org',
        fields: `id,repo_id,org,name,${ofOrg}`,
      });
      return found.map((record) => ({ ...toDue(record), orgId: record.expand.org.org_id }));
    },

    async list(org, { state, search, after, most }) {
      const wanted = `${OF_ORG}${STATES[state]}${search && ' && name ~ {:search}'}`;
      const values = { org, search: contains(search), after };
      const [matches, page] = await Promise.all([
        countRecords('repository_checks', wanted, values),
        checks.page(most, [`${wanted} && name > {:after}`, values], { sort: 'name' }),
      ]);
      return { matches, repositories: page.map(toCheck) };
    },
  };
}

type Repository = Parameters<RepositoryChecks['put']>[1];
type Change = { id: string } & Partial<CheckRecord>;

/** The changes that make the record be about this repository; none if it is already. */
function changeOf(
  before: CheckRecord | undefined,
  { repository, org, due }: { repository: Repository; org: string; due: string },
): Change[] {
  const { id: repo_id, name, defaultBranch: default_branch } = repository;
  const names = { id: idOf(repo_id), org, repo_id, name, default_branch };
  const isBack = before?.gone === true;
  if (before?.default_branch === default_branch && !isBack) return before.name === name ? [] : [names];
  const unchecked: Change = {
    ...{ ...names, gone: false, required: '', bypass: null, bypass_state: '' },
    ...{ environments: null, gate: '', checked: '', due },
  };
  // Another organization may have had it: what was known of it there isn't for this one's log.
  return [before ? unchecked : { ...unchecked, protection: null, noted: null }];
}

const upsertAll = (client: StoreClient, changes: Change[]) =>
  sendBatches(client, changes, (batch, change) => batch.collection('repository_checks').upsert(change));

const toCheck = ({
  repo_id,
  name,
  default_branch,
  required,
  bypass,
  environments,
  checked,
}: CheckRecord): RepositoryCheck => ({
  id: repo_id,
  name,
  defaultBranch: default_branch,
  required: required || 'unknown',
  bypass: required === 'thisApp' ? bypass : null,
  environments,
  checked: checked ? new Date(checked) : null,
});

const toNotedJson = (noted: Noted) => ({ ...noted, at: noted.at.toISOString() });

const toDue = ({ repo_id: id, org: orgRecordId, name, expand: { org } }: DueRecord): DueRepository => ({
  ...{ orgRecordId, id, name, installation: org.installation_id, owner: org.name },
});

const toWatched = (record: DueRecord): WatchedRepository => ({
  ...toDue(record),
  defaultBranch: record.default_branch,
  known: record.protection,
  permissions: record.expand.org.protection?.permissions ?? null,
  noted: record.noted && { ...record.noted, at: new Date(record.noted.at) },
});
