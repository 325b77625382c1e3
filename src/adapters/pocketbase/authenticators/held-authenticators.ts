import type { HeldAuthenticators } from '../../../authenticators/ports.ts';
import { ASSURED_TOTP, assuredOf } from '../../../authenticators/require-assured.ts';
import type { StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { createCount } from '../records/count.ts';
import { recordsOf } from '../records/records-of.ts';

const PAGE = 500;

export function createHeldAuthenticators(client: StoreClient): HeldAuthenticators {
  const countRecords = createCount(client);
  return {
    async ofMembers(orgRecordId) {
      const values = { orgRecordId };
      const list = <T extends object>(collection: string, filter: string, fields: string) =>
        recordsOf<T>(client, collection).all([filter, values], { batch: PAGE, fields });
      const [members, keys, apps] = await Promise.all([
        list<RecordOf<'org_members'>>('org_members', 'org = {:orgRecordId} && user != ""', 'user,login,role'),
        list<RecordOf<'webauthn'>>(
          'webauthn',
          'org = {:orgRecordId} && pending = ""',
          'id,user,enrolled,type,aaguid,backup_eligible,model_verified',
        ),
        list<RecordOf<'totps'>>('totps', 'org_id = {:orgRecordId}', 'id,user_id,enrolled'),
      ]);
      const holders = new Map(members.map(({ user, login, role }) => [user, { login, role }]));
      const held = [
        ...keys.map(({ id, user, enrolled, type, aaguid, backup_eligible, model_verified }) => ({
          ...{ id, user, enrolled },
          ...assuredOf({ type, aaguid, backupEligible: backup_eligible, modelVerified: model_verified }),
        })),
        ...apps.map(({ id, user_id: user, enrolled }) => ({ id, user, enrolled, ...ASSURED_TOTP })),
      ];
      return held.flatMap(({ user, ...authenticator }) => {
        const holder = holders.get(user);
        return holder ? { ...holder, ...authenticator } : [];
      });
    },

    // The type has no index, because SQLite would take that for the authenticators of a member.
    async count(org) {
      const [all, passkeys, apps] = await Promise.all([
        countRecords('webauthn', 'org = {:org}', { org }),
        countRecords('webauthn', 'org = {:org} && type = "passkey"', { org }),
        countRecords('totps', 'org_id = {:org}', { org }),
      ]);
      // The two may be of different moments.
      return { passkey: passkeys, 'security-key': Math.max(0, all - passkeys), totp: apps };
    },
  };
}
