import type { BatchService } from 'pocketbase';
import type { Actor, KnownAccounts, StoredWeakening, Weakenings } from '../../../protection/ports.ts';
import type { ActivityLog, LogPosition } from '../audit/activity-log.ts';
import { createIfNew, type StoreClient, sendBatch, storeTime, storeUnlessTooLarge } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { queueNotice } from '../notices/notices.ts';
import { type OrganizationRecord, toOrganization } from '../organizations/organizations.ts';
import { consumeKeyInBatch } from '../records/one-time-keys.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { newRecordId, recordIdOf, recordsOf, type Wanted } from '../records/records-of.ts';

type WeakeningRecord = RecordOf<'weakenings'>;

const UNMAILED = 'entry > org.mailed_entry';

export function createWeakenings(client: StoreClient, log: ActivityLog, seals: RecordSeals): Weakenings {
  const weakenings = recordsOf(client, 'weakenings');
  const isOurs = (record: WeakeningRecord) => seals.isOurs('weakenings', record);
  // Without a bound: newer ones, of which a person can make many, must hide none.
  const all = async (wanted: Wanted<WeakeningRecord>) =>
    (await weakenings.all(wanted, { sort: '-entry', expand: 'org' })).filter(isOurs);
  const first = async (org: string, entry: number) => (await all({ org, entry }))[0] ?? null;
  const sealed = (record: WeakeningRecord, change: Partial<WeakeningRecord>) => ({
    ...change,
    mac: seals.macOf('weakenings', { ...record, ...change }),
  });

  return {
    open: async (org) => (await all({ org, acknowledged: '' })).map(toWeakening),
    async promoted(org) {
      const found = await all(['org = {:org} && acknowledged = "" && person_id != 0', { org }]);
      return found.map(({ person_id }) => person_id);
    },

    async lasting(org, repoId, about) {
      const values = { org, repoId, about, parts: `${about}/%` };
      const ofRepository = 'org = {:org} && undone = "" && (repo_id = {:repoId} || repo_id = 0)';
      return (await all([`${ofRepository} && (about = {:about} || about ~ {:parts})`, values])).map(
        toWeakening,
      );
    },

    async newest(org) {
      const found = await weakenings.first({ org }, { sort: '-entry', fields: 'entry' });
      return found?.entry ?? 0;
    },

    async find(org, entry) {
      const found = await first(org, entry);
      return found && toWeakening(found);
    },

    async add({ id: org, orgId }, { repoId, change, about, person, by, at, undone }, { name, effects }) {
      const fields = {
        id: newRecordId(),
        org,
        repo_id: repoId ?? 0,
        change,
        about,
        person_id: person?.id ?? 0,
        person: person?.login ?? '',
        by_id: by?.id ?? 0,
        by: by?.login ?? '',
        at: at.toISOString(),
        undone: undone?.toISOString() ?? '',
      };
      const linkEntry = (
        batch: BatchService,
        _id: string,
        { number: entry, leafHash: leaf_hash }: LogPosition,
      ) => {
        const record = seals.signed(
          'weakenings',
          { ...fields, entry, leaf_hash },
          { org: { org_id: orgId } },
        );
        batch.collection('weakenings').create(record);
      };
      return (await createIfNew(() => log.send(effects, { id: recordIdOf(name), linkEntry }))) !== null;
    },

    async setBy({ id }, entry, by) {
      const found = await first(id, entry);
      if (found?.by_id !== 0) return;
      await weakenings.update(found.id, { ...sealed(found, { by_id: by.id }), by: by.login });
    },

    async addStrengthening({ id: org }, { undone, at }, { name, effects }) {
      const all = await Promise.all(undone.map((entry) => weakenings.first({ org, entry })));
      const ids = all.flatMap((record) => (record ? [record.id] : []));
      const change = (batch: BatchService) => {
        for (const id of ids) batch.collection('weakenings').update(id, { undone: at.toISOString() });
      };
      return (await createIfNew(() => log.send(effects, { id: recordIdOf(name), change }))) !== null;
    },

    async acknowledge({ id }, entry, { by, at, signed }, effects) {
      const found = await first(id, entry);
      if (!found || found.acknowledged) return false;
      const change = {
        acknowledged: at.toISOString(),
        acknowledged_by: by.id,
        statement: signed?.statement ?? null,
        assertion: signed?.assertion ?? null,
        public_key: signed?.publicKey ?? '',
      };
      const fields = { ...sealed(found, change), acknowledged_login: by.login };
      const name = `acknowledged:${found.id}`;
      const send = () =>
        log.send(effects, {
          // Two owners at the same time have the same name, so one is logged.
          id: recordIdOf(name),
          change: (batch) => batch.collection('weakenings').update(found.id, fields),
        });
      return (await createIfNew(send)) !== null;
    },

    async unmailed({ since, until }) {
      const recent = recordsOf<WeakeningRecord & { expand: { org: OrganizationRecord } }>(
        client,
        'weakenings',
      );
      const values = { since: storeTime(since), until: storeTime(until) };
      const due = await recent.all(
        // Each weakening has an organization. With `org.name = ""`, SQLite can't begin with the organizations and sort
        // all that they have.
        [
          `at >= {:since} && (${UNMAILED} || org.name = "") && (at <= {:until} || change.kind = "appRemoved")`,
          values,
        ],
        // The organizations that wait for longest have their turn first.
        { sort: 'at', expand: 'org' },
      );
      return [...new Map(due.map(({ expand }) => [expand.org.id, toOrganization(expand.org)])).values()];
    },

    async mail({ id: org }, compose, at) {
      const found = (await all([`org = {:org} && ${UNMAILED}`, { org }])).map(toWeakening);
      const [newest] = found;
      if (!newest) return false;
      const sent = await createIfNew(() =>
        sendBatch(client, (batch) => {
          // One process can use the key up, so one mails.
          consumeKeyInBatch(batch, `mailed:${org}:${newest.entry}`);
          batch.collection('organizations').update(org, { mailed_entry: newest.entry });
          for (const notice of compose(found)) queueNotice(batch, notice, at);
        }),
      );
      return sent !== null;
    },
  };
}

const toActor = (id: number, login: string): Actor | null => (id === 0 ? null : { id, login });
const toDate = (time: string) => (time ? new Date(time) : null);

const toWeakening = (record: WeakeningRecord): StoredWeakening => ({
  entry: record.entry,
  leafHash: record.leaf_hash,
  repoId: record.repo_id || null,
  change: record.change,
  about: record.about,
  person: toActor(record.person_id, record.person),
  by: toActor(record.by_id, record.by),
  at: new Date(record.at),
  undone: toDate(record.undone),
  acknowledged: toDate(record.acknowledged),
  acknowledgedBy: record.acknowledged_login,
});

export function createKnownAccounts(client: StoreClient): KnownAccounts {
  const organizations = recordsOf(client, 'organizations');
  return {
    get: async (id) => (await organizations.first({ id }, { fields: 'protection' }))?.protection ?? null,
    save: (id, protection) => storeUnlessTooLarge(() => organizations.update(id, { protection })),
  };
}
