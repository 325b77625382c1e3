import type { WebauthnType } from '../contract/authenticators.ts';

/** A registered WebAuthn credential of one person in one organization. */
export type Credential = {
  /** Record id in `webauthn`. */
  id: string;
  type: WebauthnType;
  label: string;
  /** Credential id, base64url. */
  keyId: string;
  userId: string;
  /** Record id of the organization. */
  orgRecordId: string;
  /** COSE public key, base64url. */
  publicKey: string;
  /** The signature counter at the last use; 0 where the authenticator has none. */
  counter: number;
  transports: string[];
};

export type NewCredential = Omit<Credential, 'id'> & {
  aaguid: string;
  backupEligible: boolean;
  backedUp: boolean;
  /** Whether the attestation statement verified. */
  attested: boolean;
};

export type Credentials = {
  /** All credentials of the person in the organization. */
  of(userId: string, orgRecordId: string): Promise<Credential[]>;
  /** Whether the person has any authenticator there, of any kind. */
  hasAny(userId: string, orgRecordId: string): Promise<boolean>;
  /**
   * Stores the person's first credential in the organization, its activity
   * entry and the user's map, in one step. Refuses with `known` where anyone
   * has this credential id already, with `notFirst` where the person has one
   * there: of two that come at the same moment, one is the first.
   */
  addFirst(
    credential: NewCredential,
    context: { orgId: number; orgName: string; login: string },
  ): Promise<{ id: string; created: string } | 'known' | 'notFirst'>;
  /**
   * Writes the counter of one use down. False where the counter was used
   * before: of two uses with one value at the same moment, one gets true.
   */
  used(credential: Credential, counter: number, backedUp: boolean): Promise<boolean>;
};

/** What a challenge was made for; an answer to it serves nothing else. */
export type Purpose = 'approve' | 'register' | 'register-authenticator' | 'delete-authenticator';

export type Challenge = {
  /** The challenge, base64url. */
  challenge: string;
  purpose: Purpose;
  userId: string;
  orgId: number;
  /** What the purpose needs to know again: an approval's statement, a registration's label and type. */
  subject: unknown;
  expires: Date;
};

export type Challenges = {
  add(challenge: Challenge): Promise<void>;
  find(challenge: string): Promise<Challenge | null>;
  /** True once for each challenge, for one caller alone, in any process. */
  spend(challenge: Challenge): Promise<boolean>;
};

/** Who asks the browser: WebAuthn's relying party. */
export type RelyingParty = { id: string; name: 'OTP Guard'; origin: string };
