import { recordSubject } from '../../../audit/subjects.ts';
import type { CodeFailures, TotpApp, TotpApps } from '../../../authenticators/ports.ts';
import type { Sealer } from '../../../authenticators/seal.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { withSubject } from '../audit/effects.ts';
import { createIfNew, first, ignoreMissing, type StoreClient } from '../client.ts';
import { newRecordId } from '../records/record-id.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { addAuthenticator, githubIdsOf, removeAuthenticator } from './add-and-remove.ts';
import { addedWithOf } from './credentials.ts';
import { addAddress } from './enrolment-addresses.ts';

type TotpRecord = {
  id: string;
  label: string;
  user_id: string;
  org_id: string;
  secret: string;
  enrolled: TotpApp['enrolled'];
  mac: string;
  created: string;
};

/** The record a secret belongs to. A sealed secret that is copied to another record can't be opened there. */
export const sealContext = (id: string, userId: string, orgRecordId: string) =>
  `totps:${id}:${userId}:${orgRecordId}`;

export function createTotpApps(
  client: StoreClient,
  log: ActivityLog,
  { sealer, seals }: { sealer: Sealer; seals: RecordSeals },
): TotpApps {
  const find = (filter: string, values: Record<string, unknown>) =>
    client.run((records) =>
      first<TotpRecord>(records, 'totps', filter, values, { expand: 'user_id,org_id' }),
    );

  const findOf = (userId: string, orgRecordId: string) =>
    find('user_id = {:userId} && org_id = {:orgRecordId}', { userId, orgRecordId });

  return {
    async find(userId, orgRecordId) {
      const record = await findOf(userId, orgRecordId);
      if (!record || !seals.isOurs('totps', record)) return null;
      const secret = sealer.open(record.secret, sealContext(record.id, userId, orgRecordId));
      return { ...toApp(record), secret };
    },

    async hasRecord(userId, orgRecordId) {
      return (await findOf(userId, orgRecordId)) !== null;
    },

    async byId(id) {
      const record = await find('id = {:id}', { id });
      return record && toApp(record);
    },

    async add({ label, secret, step }, holder, admission, effects) {
      const id = newRecordId();
      const fields = {
        id,
        label,
        user_id: holder.userId,
        org_id: holder.org.recordId,
        secret: sealer.seal(secret, sealContext(id, holder.userId, holder.org.recordId)),
        enrolled: admission.enrolled,
        added_with: addedWithOf(admission),
      };
      const { user, org } = await githubIdsOf(client, holder);
      const mac = seals.macOf('totps', { ...fields, expand: { user_id: user, org_id: org } });
      const { order } = admission;
      const named = withSubject(effects, recordSubject('totps', id));
      const outcome = await addAuthenticator({ client, log }, { holder, order, effects: named }, (batch) => {
        batch.collection('totps').create({ ...fields, mac });
        batch.collection('totp_steps').create({ totp: id, step });
        addAddress(batch, seals, { admission, holder, githubId: user.github_id });
      });
      if (outcome !== 'added') return outcome;
      const stored = await client.run((records) => records.collection('totps').getOne<TotpRecord>(id));
      return { id, created: stored.created.replace(' ', 'T') };
    },

    async remove(app, holder, removal) {
      return removeAuthenticator({ client, log }, { holder, id: app.id, ...removal }, (batch) => {
        batch.collection('totps').delete(app.id);
      });
    },

    async consume(app, step) {
      return client.run(async (records) => {
        const taken = await createIfNew(() =>
          records.collection('totp_steps').create({ totp: app.id, step }),
        );
        if (!taken) return false;
        // Checked after the step was taken, so that two concurrent codes can't both miss each other.
        const later = await first(records, 'totp_steps', 'totp = {:totp} && step > {:step}', {
          totp: app.id,
          step,
        });
        if (later) return false;
        await records.collection('totps').update(app.id, { last_used: client.clock.now().toISOString() });
        return true;
      });
    },
  };
}

function toApp(record: TotpRecord): Omit<TotpApp, 'secret'> {
  return {
    id: record.id,
    userId: record.user_id,
    orgRecordId: record.org_id,
    label: record.label,
    created: new Date(record.created),
    enrolled: record.enrolled,
  };
}

type FailureRecord = { id: string; attempt: number; at: string };

export function createCodeFailures(client: StoreClient): CodeFailures {
  const list = (userId: string, orgRecordId: string) =>
    client.run((records) =>
      records.collection('code_failures').getFullList<FailureRecord>({
        filter: records.filter('user = {:userId} && org = {:orgRecordId}', { userId, orgRecordId }),
        sort: 'attempt',
      }),
    );
  return {
    async read(userId, orgRecordId) {
      const all = await list(userId, orgRecordId);
      const newest = all.at(-1);
      return {
        // Not the newest number: an attempt that came in while the others were cleared has a high one.
        count: all.length,
        last: newest ? new Date(newest.at) : null,
        next: (newest?.attempt ?? 0) + 1,
      };
    },
    async claim(userId, orgRecordId, attempt, at) {
      const fields = { user: userId, org: orgRecordId, attempt, at: at.toISOString() };
      const made = await createIfNew(() =>
        client.run((records) => records.collection('code_failures').create(fields)),
      );
      return made !== null;
    },
    async release(userId, orgRecordId, attempt) {
      const claimed = (await list(userId, orgRecordId)).find((one) => one.attempt === attempt);
      if (!claimed) return;
      await client.run((records) =>
        records.collection('code_failures').delete(claimed.id).catch(ignoreMissing),
      );
    },
    async clear(userId, orgRecordId) {
      const all = await list(userId, orgRecordId);
      await client.run(async (records) => {
        const failures = records.collection('code_failures');
        for (const { id } of all) await failures.delete(id).catch(ignoreMissing);
      });
    },
  };
}
