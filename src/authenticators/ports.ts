import type { Effects } from '../audit/ports.ts';
import type { AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { WebauthnType } from '../contract/authenticators.ts';
import type { Enrolled, PendingKind } from '../contract/enrolment.ts';
import type { VouchStatement } from '../contract/statement.ts';
import { stepUpAction } from '../contract/step-up.ts';
import type { Role } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import type { AssuredAuthenticator } from '../policies/assurance.ts';
import type { Trusted } from '../shared/checked.ts';

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
  created: Date;
  /** The signature counter at the last use; 0 if the authenticator has none. */
  counter: number;
  transports: string[];
  aaguid: string;
  /** True if its key can be copied to other devices, like a synced passkey's: WebAuthn's backup eligibility. */
  backupEligible: boolean;
  /** True if its key was backed up at its last use: WebAuthn's backup state. */
  backedUp: boolean;
  /** True if a root that the operator trusts certifies the AAGUID; else it's only the authenticator's claim. */
  modelVerified: boolean;
  /** The model's name; empty if it isn't known. */
  model: string;
  /** The confirmation that it waits for, before which it counts for nothing. Empty if it counts. */
  pending: '' | PendingKind;
  /** The server draws it for the comparison, after the registration was verified; empty unless it was ever pending. */
  nonce: string;
  enrolled: Enrolled;
};

export type NewCredential = Omit<Credential, 'id' | 'created' | 'pending' | 'nonce' | 'enrolled'> & {
  /** True if the attestation statement verified. */
  attested: boolean;
};

/** The person who holds an authenticator, and the organization it is registered in. */
export type Holder = Session & { org: { recordId: string; id: number; name: string } };

/** A removed authenticator that was lost or stolen, and who removed it. The approvals made with it since then are withdrawn. */
export type LostAuthenticator = {
  /** The authenticator's record id. */
  id: string;
  method: AuthenticatorType;
  holder: { githubId: number; login: string };
  org: { id: number; recordId: string; name: string };
  since: Date;
  /** Its holder, or an owner of the organization. */
  by: Session;
};

export type LostAuthenticators = {
  /** Lists the ones whose approvals aren't all withdrawn yet. */
  pending(): Promise<LostAuthenticator[]>;
  done(lost: LostAuthenticator): Promise<void>;
};

/** The log entry and the notice that a removal stores together with the deletion. */
export type RemovalRecord = { effects: Effects; lost: LostAuthenticator | null };

/**
 * The way in which a new authenticator is admitted: as the person's first in the organization,
 * as a further one, which needs a step-up, or pending, which counts for nothing
 * until a person confirms it.
 */
export type Admission =
  | { order: 'first'; enrolled: Enrolled; address?: EnrolmentAddress | undefined }
  /** `confirmedBy`: the authenticator that confirmed it, as the log names it. */
  | { order: 'further'; enrolled: Enrolled; addedWith: AuthenticatorType; confirmedBy: string }
  | { order: 'pending'; waitsFor: PendingKind; nonce: string };

/** The company address that a person enrolled with; `folded` is the same for every way to write one address. */
export type EnrolmentAddress = { address: string; folded: string };

export type EnrolmentAddresses = {
  /** GitHub's id of the person who enrolled with this address there; null if nobody did. */
  holderOf(orgRecordId: string, folded: string): Promise<number | null>;
};

export type Added = { id: string; created: string };

/** The credentials in the record store, including those that need a vouch by now. */
export type StoredCredentials = {
  /**
   * The credentials of the person in the organization that count, oldest first: without a pending one, and
   * without records that OTP Guard didn't write.
   */
  list(userId: string, orgRecordId: string): Promise<Credential[]>;
  /** All that `list` has, the pending one, and those that need a vouch by now. */
  all(userId: string, orgRecordId: string): Promise<Credential[]>;
  /**
   * Tells whether there is any record of a credential, even a forged or changed one that can't be used, but not a
   * pending one.
   */
  hasRecords(userId: string, orgRecordId: string): Promise<boolean>;
  /** Finds a record even if it can't be used, so that it can be removed. */
  byId(id: string): Promise<Credential | null>;
  /** Null if there is none, or if OTP Guard didn't write its record. */
  find(id: string): Promise<Credential | null>;
  /**
   * Stores a credential and its effects in one step; a first or pending one replaces what was pending. Refuses
   * with `known` if anyone already has this credential id, and with `notFirst` if the person already has an
   * authenticator there: of two simultaneous registrations, only one is the first.
   */
  add(
    credential: NewCredential,
    holder: Holder,
    admission: Admission,
    effects: Effects,
  ): Promise<Added | 'known' | 'notFirst'>;
  /** Saves a new label and the effects in one step. False if the credential was removed in the meantime. */
  rename(id: string, label: string, effects: Effects): Promise<boolean>;
  /** Removes it and stores the effects and the loss in one step. False if it was already removed: of two removals, one counts. */
  remove(credential: Credential, holder: Holder, removal: RemovalRecord): Promise<boolean>;
  /**
   * Saves the counter and the time of one use. False if that counter was used before: of two
   * simultaneous uses with the same counter, one gets true.
   *
   * @param use.isTimeSaved The caller saves the time with what the credential was used for, and so finds out if it was removed.
   */
  recordUse(
    credential: Credential,
    use: { counter: number; backedUp: boolean; isTimeSaved?: boolean },
  ): Promise<boolean>;
};

export type Credentials = Trusted<StoredCredentials>;

/** A statement that a credential is its holder's, by a member or the operator. */
export type NewVouch = {
  enrolled: Enrolled;
  /** The kind of the holder's own authenticator, if it's their word. */
  addedWith?: AuthenticatorType | undefined;
  holder: Holder;
  /** GitHub's id and login of the person who vouches; 0 for the operator. */
  voucher: { githubId: number; login: string };
  /** The signed statement and its proof; null for the operator. */
  proof: { statement: VouchStatement; assertion: unknown; publicKey: string } | null;
};

export type Vouches = {
  /**
   * The credentials of the organization that wait for a member's vouch, longest first; with `unvouchedToo` also
   * those of members that came in without one.
   */
  waiting(
    orgRecordId: string,
    options: { unvouchedToo: boolean; most: number },
  ): Promise<{ credential: Credential; holder: { id: number; login: string } }[]>;
  /**
   * Makes the credential count and stores the vouch and the effects in one step. False if it was confirmed,
   * replaced, removed or changed since it was read: of all these, only one happens.
   */
  confirm(credential: Credential, vouch: NewVouch, effects: Effects): Promise<boolean>;
  /** Returns the ids of those credentials that have a vouch. */
  among(credentialIds: string[]): Promise<Set<string>>;
};

/** A link that lets the person's other device register a pending authenticator. */
export type DeviceLink = { id: string; userId: string; orgId: number; expires: Date };

export type DeviceLinks = {
  /** @param hash SHA-256 of the secret, base64url: nobody who reads the record store can use a link. */
  add(link: Omit<DeviceLink, 'id'> & { hash: string }): Promise<void>;
  /** Null if there is none, or if OTP Guard didn't write its record. */
  find(hash: string): Promise<DeviceLink | null>;
  /** True once per link, for exactly one caller in all processes. */
  consume(link: DeviceLink): Promise<boolean>;
};

/** A registered authenticator app of one person in one organization; `secret` is stored sealed. */
export type TotpApp = Pick<Credential, 'id' | 'userId' | 'orgRecordId' | 'label' | 'created' | 'enrolled'> & {
  secret: Uint8Array;
};

export type NewTotpApp = {
  label: string;
  secret: Uint8Array;
  /** The time step of the code that proved the secret. */
  step: number;
};

/** The apps in the record store, including those that need a vouch by now. */
export type StoredTotpApps = {
  /** Null if there is none, or if OTP Guard didn't write its record. */
  find(userId: string, orgRecordId: string): Promise<TotpApp | null>;
  /** Tells whether there is any record of an app, even a forged or changed one that can't be used. */
  hasRecord(userId: string, orgRecordId: string): Promise<boolean>;
  byId(id: string): Promise<Omit<TotpApp, 'secret'> | null>;
  /** Like `Credentials.add`. A person has at most one app in an organization. */
  add(
    app: NewTotpApp,
    holder: Holder,
    admission: Exclude<Admission, { order: 'pending' }>,
    effects: Effects,
  ): Promise<Added | 'known' | 'notFirst'>;
  remove(app: Omit<TotpApp, 'secret'>, holder: Holder, removal: RemovalRecord): Promise<boolean>;
  /** Uses up a step's code. True for one caller in all processes, and only if no later step was used. */
  consume(app: TotpApp, step: number): Promise<boolean>;
};

export type TotpApps = Trusted<StoredTotpApps>;

/** An authenticator of a member, who holds it by our copy of GitHub's list. */
export type HeldAuthenticator = AssuredAuthenticator & {
  id: string;
  login: string;
  role: Role;
  enrolled: Enrolled;
};

/** The authenticators of an organization's members, for a count: their MACs aren't verified, so they decide nothing. */
export type HeldAuthenticators = {
  ofMembers(orgRecordId: string): Promise<HeldAuthenticator[]>;
  /** Counts each kind, pending ones too. In a large organization the numbers may be a minute or so old. */
  count(orgRecordId: string): Promise<Record<AuthenticatorType, number>>;
};

/** Wrong one-time codes of a person in an organization since the last right one. */
export type CodeFailures = {
  /** Reads how many there are, when the last one was, and the number of the next attempt. */
  read(userId: string, orgRecordId: string): Promise<{ count: number; last: Date | null; next: number }>;
  /** Claims the next attempt before its code is checked; false if another attempt claimed that number. */
  claim(userId: string, orgRecordId: string, attempt: number, date: Date): Promise<boolean>;
  /** Deletes one whose code was right, but already used. */
  release(userId: string, orgRecordId: string, attempt: number): Promise<void>;
  /** Deletes them after a right code. */
  clear(userId: string, orgRecordId: string): Promise<void>;
};

/** The purposes of challenges; an answer is valid for no other. */
export const challengePurposes = [
  'approve',
  'approve-batch',
  'deny',
  'deploy',
  'reject',
  'register',
  'acknowledge',
  ...stepUpAction.options,
] as const;
export type Purpose = (typeof challengePurposes)[number];

export type Challenge = {
  /** The challenge, base64url. */
  challenge: string;
  purpose: Purpose;
  userId: string;
  orgId: number;
  /** The expected content of the answer: an approval's statement, a registration's label and type. */
  subject: unknown;
  expires: Date;
};

export type Challenges = {
  add(challenge: Challenge): Promise<void>;
  find(challenge: string): Promise<Challenge | null>;
  /** True once per challenge, for exactly one caller in all processes. */
  consume(challenge: Challenge): Promise<boolean>;
};

/** WebAuthn's relying party: this server, as browsers and authenticators know it. */
export type RelyingParty = {
  id: string;
  name: 'OTP Guard';
  origin: string;
  /** True if the operator trusts attestation roots, so that an authenticator's model can be verified. */
  hasAttestationRoots: boolean;
};
