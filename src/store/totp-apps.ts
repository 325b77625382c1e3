import type { TotpApp, TotpApps } from '../authenticators/ports.ts';
import type { Sealer } from '../authenticators/seal.ts';
import { first, isDuplicate, type StoreClient } from './client.ts';
import { enrol, expel } from './enrolment.ts';
import { newRecordId } from './record-id.ts';

type TotpRecord = {
  id: string;
  label: string;
  user_id: string;
  org_id: string;
  secret: string;
  created: string;
};

/** Where a secret stands: sealed for there, it opens nowhere else. */
const placeOf = (id: string, userId: string, orgRecordId: string) => `totps:${id}:${userId}:${orgRecordId}`;

export function createTotpApps(client: StoreClient, sealer: Sealer): TotpApps {
  const find = (filter: string, values: Record<string, unknown>) =>
    client.run((records) => first<TotpRecord>(records, 'totps', filter, values));

  return {
    async of(userId, orgRecordId) {
      const record = await find('user_id = {:userId} && org_id = {:orgRecordId}', { userId, orgRecordId });
      return (
        record && {
          ...toApp(record),
          secret: sealer.open(record.secret, placeOf(record.id, userId, orgRecordId)),
        }
      );
    },

    async byId(id) {
      const record = await find('id = {:id}', { id });
      return record && toApp(record);
    },

    async add({ label, secret, step }, owner, entry) {
      const id = newRecordId();
      const subject = { type: 'totp' as const, label };
      try {
        const isIn = await enrol(client, owner, entry, subject, (batch) => {
          batch.collection('totps').create({
            id,
            label,
            user_id: owner.userId,
            org_id: owner.org.recordId,
            secret: sealer.seal(secret, placeOf(id, owner.userId, owner.org.recordId)),
          });
          batch.collection('totp_steps').create({ totp: id, step });
        });
        if (!isIn) return 'notFirst';
      } catch (error) {
        if (isDuplicate(error)) return 'known';
        throw error;
      }
      const stored = await client.run((records) => records.collection('totps').getOne<TotpRecord>(id));
      return { id, created: stored.created.replace(' ', 'T') };
    },

    async remove(app, owner, by) {
      const subject = { type: 'totp' as const, label: app.label };
      return expel(client, { owner, by, key: `removed:${app.id}`, subject }, (batch) => {
        batch.collection('totps').delete(app.id);
      });
    },

    async spend(app, step) {
      return client.run(async (records) => {
        try {
          await records.collection('totp_steps').create({ totp: app.id, step });
        } catch (error) {
          if (isDuplicate(error)) return false;
          throw error;
        }
        // Looked at after the step is taken, so that two at one moment cannot both miss the other.
        const later = await first(records, 'totp_steps', 'totp = {:totp} && step > {:step}', {
          totp: app.id,
          step,
        });
        if (later) return false;
        await records.collection('totps').update(app.id, { last_used: new Date().toISOString() });
        return true;
      });
    },
  };
}

function toApp(record: TotpRecord): Omit<TotpApp, 'secret'> {
  return { id: record.id, userId: record.user_id, orgRecordId: record.org_id, label: record.label };
}
