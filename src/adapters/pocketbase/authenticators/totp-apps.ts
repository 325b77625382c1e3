import { recordSubject } from '../../../audit/subjects.ts';
import type { CodeFailures, StoredTotpApps, TotpApp } from '../../../authenticators/ports.ts';
import type { Sealer } from '../../../authenticators/seal.ts';
import type { ActivityLog } from '../audit/activity-log.ts';
import { withSubject } from '../audit/effects.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { type RecordSeals, sealContext } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';
import { addAuthenticator, githubIdsOf, removeAuthenticator } from './add-and-remove.ts';
import { addedWithOf } from './credentials.ts';
import { addAddress } from './enrolment-addresses.ts';

export function createTotpApps(
  client: StoreClient,
  log: ActivityLog,
  { sealer, seals }: { sealer: Sealer; seals: RecordSeals },
): StoredTotpApps {
  const apps = recordsOf(client, 'totps');
  const steps = recordsOf(client, 'totp_steps');
  const expand = 'user_id,org_id';
  const findOf = (userId: string, orgRecordId: string) =>
    apps.first({ user_id: userId, org_id: orgRecordId }, { expand });

  return {
    async find(userId, orgRecordId) {
      const record = await findOf(userId, orgRecordId);
      if (!record || !seals.isOurs('totps', record)) return null;
      const secret = sealer.open(record.secret, sealContext('totps', record.id, 'secret'));
      return { ...toApp(record), secret };
    },

    async hasRecord(userId, orgRecordId) {
      return (await findOf(userId, orgRecordId)) !== null;
    },

    async byId(id) {
      const record = await apps.first({ id }, { expand });
      return record && toApp(record);
    },

    async add({ label, secret, step }, holder, admission, effects) {
      const id = newRecordId();
      const fields = {
        id,
        label,
        user_id: holder.userId,
        org_id: holder.org.recordId,
        secret: sealer.seal(secret, sealContext('totps', id, 'secret')),
        enrolled: admission.enrolled,
        added_with: addedWithOf(admission),
      };
      const { user, org } = await githubIdsOf(client, holder);
      const record = seals.signed('totps', fields, { user_id: user, org_id: org });
      const { order } = admission;
      const named = withSubject(effects, recordSubject('totps', id));
      const outcome = await addAuthenticator({ client, log }, { holder, order, effects: named }, (batch) => {
        batch.collection('totps').create(record);
        batch.collection('totp_steps').create({ totp: id, step });
        addAddress(batch, seals, { admission, holder, githubId: user.github_id });
      });
      if (outcome !== 'added') return outcome;
      const { created } = await apps.get(id);
      return { id, created: created.replace(' ', 'T') };
    },

    async remove(app, holder, removal) {
      return removeAuthenticator({ client, log }, { holder, id: app.id, ...removal }, (batch) => {
        batch.collection('totps').delete(app.id);
      });
    },

    async consume(app, step) {
      if (!(await steps.createIfNew({ totp: app.id, step }))) return false;
      // Checked after the step was taken, so that two concurrent codes can't both miss each other.
      const later = await steps.first(['totp = {:totp} && step > {:step}', { totp: app.id, step }]);
      if (later) return false;
      await apps.update(app.id, { last_used: client.clock.now().toISOString() });
      return true;
    },
  };
}

function toApp(record: RecordOf<'totps'>): Omit<TotpApp, 'secret'> {
  return {
    id: record.id,
    userId: record.user_id,
    orgRecordId: record.org_id,
    label: record.label,
    created: new Date(record.created),
    enrolled: record.enrolled,
  };
}

export function createCodeFailures(client: StoreClient): CodeFailures {
  const failures = recordsOf(client, 'code_failures');
  const list = (userId: string, orgRecordId: string) =>
    failures.all({ user: userId, org: orgRecordId }, { sort: 'attempt' });
  return {
    async read(userId, orgRecordId) {
      const all = await list(userId, orgRecordId);
      const newest = all.at(-1);
      return {
        // The newest number is no count: an attempt that came in while the others were cleared has a high one.
        count: all.length,
        last: newest ? new Date(newest.at) : null,
        next: (newest?.attempt ?? 0) + 1,
      };
    },
    async claim(user, org, attempt, at) {
      return (await failures.createIfNew({ user, org, attempt, at: at.toISOString() })) !== null;
    },
    async release(userId, orgRecordId, attempt) {
      const claimed = (await list(userId, orgRecordId)).find((one) => one.attempt === attempt);
      if (claimed) await failures.delete(claimed.id);
    },
    async clear(userId, orgRecordId) {
      for (const { id } of await list(userId, orgRecordId)) await failures.delete(id);
    },
  };
}
