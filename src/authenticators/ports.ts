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
  /** The maker's model, where it is known. */
  model: string;
};

/** Whose authenticator it is and where, for the activity log and the user's map. */
export type Owner = { userId: string; login: string; org: { recordId: string; id: number; name: string } };

/** Who removes it: the person themselves, or an owner of the organization. */
export type Remover = { userId: string; login: string };

/**
 * How an authenticator comes in: as the person's first in the organization, on
 * the session alone, or as a further one, after a step-up.
 */
export type Entry = 'first' | 'further';

export type Added = { id: string; created: string };

export type Credentials = {
  /** All credentials of the person in the organization, the oldest first. */
  of(userId: string, orgRecordId: string): Promise<Credential[]>;
  byId(id: string): Promise<Credential | null>;
  /**
   * Stores a credential, its activity entry and the user's map, in one step.
   * Refuses with `known` where anyone has this credential id already, with
   * `notFirst` where a first one meets another authenticator of the person
   * there: of two that come at the same moment, one is the first.
   */
  add(credential: NewCredential, owner: Owner, entry: Entry): Promise<Added | 'known' | 'notFirst'>;
  rename(id: string, label: string): Promise<void>;
  /** Stores its end and who is told, in one step. False where it was removed before: of two, one removes it. */
  remove(credential: Credential, owner: Owner, by: Remover): Promise<boolean>;
  /**
   * Writes the counter of one use down. False where the counter was used
   * before: of two uses with one value at the same moment, one gets true.
   */
  used(credential: Credential, counter: number, backedUp: boolean): Promise<boolean>;
};

/** A registered one-time-code app of one person in one organization; its secret is open here and nowhere else. */
export type TotpApp = { id: string; userId: string; orgRecordId: string; label: string; secret: Uint8Array };

export type NewTotpApp = {
  label: string;
  secret: Uint8Array /** The step whose code proved it. */;
  step: number;
};

export type TotpApps = {
  of(userId: string, orgRecordId: string): Promise<TotpApp | null>;
  byId(id: string): Promise<Omit<TotpApp, 'secret'> | null>;
  /** As `Credentials.add`; a person has one app in an organization. */
  add(app: NewTotpApp, owner: Owner, entry: Entry): Promise<Added | 'known' | 'notFirst'>;
  remove(app: Omit<TotpApp, 'secret'>, owner: Owner, by: Remover): Promise<boolean>;
  /** Uses a step's code up: true once in any process, and only where no later step was used. */
  spend(app: TotpApp, step: number): Promise<boolean>;
};

/** Wrong one-time codes in a row, of a person in an organization. */
export type CodeFailures = {
  /** How many, when the last one was, and the place of the next try. */
  of(userId: string, orgRecordId: string): Promise<{ count: number; last: Date | null; next: number }>;
  /** Takes the place of the next try, before it is looked at; false where another try took it. */
  claim(userId: string, orgRecordId: string, place: number, at: Date): Promise<boolean>;
  /** After a right code. */
  clear(userId: string, orgRecordId: string): Promise<void>;
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
