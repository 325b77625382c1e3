import { credentialSubject, recordSubject } from '../audit/subjects.ts';
import type { AuthenticatorKind, AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { Credentials, Holder, RemovalRecord, TotpApps } from './ports.ts';

/** An authenticator of any kind, with how to remove it. */
export type Removable = {
  userId: string;
  orgRecordId: string;
  type: AuthenticatorType;
  label: string;
  /** What finds the log's entries about it. */
  subject: string;
  created: Date;
  /** False if it was already removed. */
  remove(holder: Holder, removal: RemovalRecord): Promise<boolean>;
};

/** Finds an authenticator by its collection and record id; null if there is none. */
export function findRemovable(
  deps: { credentials: Credentials; totpApps: TotpApps },
  collection: AuthenticatorKind['collection'],
  id: string,
): Promise<Removable | null> {
  const find = { webauthn: findCredential, totps: findTotpApp }[collection];
  return find(deps, id);
}

async function findCredential(
  { credentials }: { credentials: Credentials },
  id: string,
): Promise<Removable | null> {
  const credential = await credentials.byId(id);
  if (!credential) return null;
  const subject = credentialSubject(credential.keyId);
  return {
    ...credential,
    subject,
    remove: (holder, removal) => credentials.remove(credential, holder, removal),
  };
}

async function findTotpApp({ totpApps }: { totpApps: TotpApps }, id: string): Promise<Removable | null> {
  const app = await totpApps.byId(id);
  if (!app) return null;
  const subject = recordSubject('totps', id);
  return {
    ...app,
    type: 'totp',
    subject,
    remove: (holder, removal) => totpApps.remove(app, holder, removal),
  };
}
