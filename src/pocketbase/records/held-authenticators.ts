import type { HeldAuthenticators } from '../../authenticators/ports.ts';
import { ASSURED_TOTP, assuredOf } from '../../authenticators/require-assured.ts';
import type { WebauthnType } from '../../contract/authenticators.ts';
import type { StoreClient } from '../client.ts';

type Held = {
  user: string;
  type: WebauthnType;
  aaguid: string;
  backup_eligible: boolean;
  model_verified: boolean;
};

const PAGE = 500;

export const createHeldAuthenticators = (client: StoreClient): HeldAuthenticators => ({
  async ofMembers(orgRecordId) {
    const [members, keys, apps] = await client.run((records) => {
      const list = <T>(collection: string, filter: string, fields: string) =>
        records
          .collection(collection)
          .getFullList<T>({ batch: PAGE, fields, filter: records.filter(filter, { orgRecordId }) });
      return Promise.all([
        list<{ user: string; login: string }>(
          'org_members',
          'org = {:orgRecordId} && user != ""',
          'user,login',
        ),
        list<Held>(
          'webauthn',
          'org = {:orgRecordId} && pending = ""',
          'user,type,aaguid,backup_eligible,model_verified',
        ),
        list<{ user_id: string }>('totps', 'org_id = {:orgRecordId}', 'user_id'),
      ]);
    });
    const logins = new Map(members.map(({ user, login }) => [user, login]));
    const held = [
      ...keys.map(({ user, type, aaguid, backup_eligible, model_verified }) => ({
        user,
        ...assuredOf({ type, aaguid, backupEligible: backup_eligible, modelVerified: model_verified }),
      })),
      ...apps.map(({ user_id: user }) => ({ user, ...ASSURED_TOTP })),
    ];
    return held.flatMap(({ user, ...authenticator }) => {
      const login = logins.get(user);
      return login === undefined ? [] : { login, ...authenticator };
    });
  },
});
