import type { Admission, Credential, NewCredential } from '../../../authenticators/ports.ts';

export type CredentialRecord = {
  id: string;
  type: Credential['type'];
  label: string;
  key_id: string;
  user: string;
  org: string;
  public_key: string;
  counter: number;
  transports: string[] | null;
  aaguid: string;
  backup_eligible: boolean;
  backed_up: boolean;
  model_verified: boolean;
  model: string;
  pending: Credential['pending'];
  nonce: string;
  enrolled: Credential['enrolled'];
  mac: string;
  expand?: { user?: { github_id: number; username: string } };
  created: string;
};

/** The MAC covers GitHub's ids of the holder and the organization. */
export const EXPAND = 'user,org';

/** The fields of a new record. What they leave out is empty. */
export function toFields(credential: NewCredential, admission: Admission) {
  return {
    type: credential.type,
    label: credential.label,
    key_id: credential.keyId,
    user: credential.userId,
    org: credential.orgRecordId,
    public_key: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports,
    aaguid: credential.aaguid,
    model: credential.model,
    backup_eligible: credential.backupEligible,
    backed_up: credential.backedUp,
    attested: credential.attested,
    model_verified: credential.modelVerified,
    ...(admission.order === 'pending'
      ? { pending: admission.waitsFor, nonce: admission.nonce, enrolled: '', added_with: '' }
      : { pending: '', nonce: '', enrolled: admission.enrolled, added_with: addedWithOf(admission) }),
  };
}

/** The kind of the holder's own authenticator that let this one in; empty for a first one. */
export const addedWithOf = (admission: Admission) =>
  admission.order === 'further' ? admission.addedWith : '';

export function toCredential(record: CredentialRecord): Credential {
  return {
    id: record.id,
    type: record.type,
    label: record.label,
    keyId: record.key_id,
    created: new Date(record.created),
    userId: record.user,
    orgRecordId: record.org,
    publicKey: record.public_key,
    counter: record.counter,
    transports: record.transports ?? [],
    aaguid: record.aaguid,
    backupEligible: record.backup_eligible,
    backedUp: record.backed_up,
    modelVerified: record.model_verified,
    model: record.model,
    pending: record.pending,
    nonce: record.nonce,
    enrolled: record.enrolled,
  };
}
