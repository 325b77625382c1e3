import type { ActivityData, ActivityKind } from '../contract/activity.ts';
import type { ExportedEntry, LogEvent, LogPerson } from '../contract/log-entry.ts';
import type { NewNotice } from '../notices/ports.ts';

/** An entry for an organization's activity log. */
export type NewActivity = {
  activity: ActivityKind;
  /** Record id of the person who did it; empty if they never signed in here. */
  userId: string;
  /** Record id of the organization. */
  orgRecordId: string;
  data: ActivityData;
  /** The key to find the entry by: `credentialSubject` or `recordSubject`. */
  subject?: string;
  /** The parts of the entry's leaf other than `data`. */
  facts?: LogEvent['facts'];
  personFacts?: LogPerson['facts'];
};

/** The log entry of a change, and who gets notified of it. A port stores it in the same step as the change. */
export type Effects = { activity: NewActivity; notices: NewNotice[] };

/** Findings that any number of processes can make at the same time, each of which is logged once. */
export type Findings = {
  /**
   * Stores the effects of a finding.
   *
   * @param name The same for the same finding, for ever: one entry has it.
   * @returns False if they were stored before, by any process; nothing changes then.
   */
  add(name: string, effects: Effects): Promise<boolean>;
};

/** The log of an organization at one size, signed by this server. */
export type Checkpoint = {
  /** The name of the log. */
  origin: string;
  size: number;
  /** Base64. */
  root: string;
  /** C2SP signed note. */
  note: string;
  /** The time of its last entry. */
  at: Date;
};

/** A stored entry. `checkpoint` is the one with this entry as its last. */
export type StoredEntry = ExportedEntry & {
  /** Record id in `gh_activities`. */
  id: string;
  at: Date;
};

export type LogReader = {
  /**
   * The newest checkpoint of an organization's log; null while it has no entry.
   *
   * @throws AppError `logChanged` if another writer changed the end of the log.
   */
  newest(orgRecordId: string): Promise<Checkpoint | null>;
  /** The newest checkpoint of the account that has this installation. Null if there is none or we don't know. */
  newestOf(installation: number): Promise<Checkpoint | null>;
  /** An earlier checkpoint: of the log with that many entries. Null if there is none. */
  atSize(orgRecordId: string, size: number): Promise<Checkpoint | null>;
  /** The entries with this subject, oldest first. */
  ofSubject(orgRecordId: string, subject: string): Promise<StoredEntry[]>;
  /** At most `most` entries after this number, oldest first. */
  after(orgRecordId: string, number: number, most: number): Promise<StoredEntry[]>;
  /** The numbers of the first entry that was added at or after `from`, and of the last one at or before `to`. */
  period(
    orgRecordId: string,
    period: { from?: Date | undefined; to?: Date | undefined },
  ): Promise<{ first: number; last: number } | null>;
  /** The audit paths of these entries in the log of `size` entries, each from the leaf's sibling up, base64. */
  paths(orgRecordId: string, numbers: number[], size: number): Promise<string[][]>;
  /** The roots of the complete subtrees of the log with `size` entries, largest first, base64. */
  frontier(orgRecordId: string, size: number): Promise<string[]>;
};

/** A public key of this server that signs checkpoints and receipts. */
export type PublishedKey = {
  /** The first 16 hex digits of SHA-256 over the key. */
  id: string;
  type: 'ed25519';
  /** The 32 bytes of RFC 8032, base64url. */
  publicKey: string;
  created: Date;
  /** The time at which a newer key replaced it; null while it signs. */
  retired: Date | null;
};

export type SigningKey = Pick<PublishedKey, 'id' | 'publicKey'> & {
  /** Ed25519: 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
};

export type SigningKeys = {
  /** The key that signs now. The first call in a new store creates it. */
  current(): Promise<SigningKey>;
  /** Every key that ever signed, newest first. */
  published(): Promise<PublishedKey[]>;
  /** Replaces the current key, which stays published, by a new one. */
  rotate(): Promise<PublishedKey>;
};

/** An entry as it's stored, with all that can be compared. */
export type RecordedEntry = StoredEntry & {
  activity: string;
  /** The part that the dashboard shows. */
  data: ActivityData | null;
  subject: string;
  /** GitHub's id of the person whose record the entry names; null without one. */
  userGithubId: number | null;
  /** The roots of the subtrees that its leaf completes, smallest first, base64 with a space between. */
  nodes: string;
};

/** The logs as they're stored. Nothing is verified. */
export type RecordedLog = {
  /** At most `most` entries after this number, in the order of their numbers. */
  after(orgRecordId: string, number: number, most: number): Promise<RecordedEntry[]>;
};

/** The findings of this process about an organization's log. */
export type LogChecks = {
  /** `changed` is the number of the first entry that isn't as it was when it was added. */
  of(orgRecordId: string): { checked: { to: number; at: Date } | null; changed: number | null };
  /** Compares a short log of `size` entries now, if it grew since it was compared. A long one is left to the background. */
  catchUp(org: { id: string; orgId: number }, size: number): Promise<void>;
};
