import type { AuthenticatorType } from '../contract/authenticator-kinds.ts';
import type { SecurityImage } from '../contract/image.ts';
import type { AskedBy } from '../contract/inbox.ts';
import type { HookKind } from '../contract/outgoing-webhooks.ts';

/** How to reach a person. `address` is empty if they haven't confirmed one. */
export type Contact = { login: string; address: string; image: SecurityImage | null };

export type Contacts = {
  /** Null if there is no such person. */
  contact(userId: string): Promise<Contact | null>;
};

export type MailMessage = {
  /** One validated address. */
  to: string;
  /** A constant text of ours, never a person's. */
  subject: string;
  /** Plain text; it may hold names and labels in any language. */
  text: string;
  /** The recipient's security image, embedded in the message. */
  image: SecurityImage | null;
};

export type Mailer = {
  /**
   * Resolves once the mail server has accepted the message. Rejects with
   * `MailRefused` if the server refused it permanently, and with any other
   * error if a later try may work.
   */
  send(message: MailMessage): Promise<void>;
};

/** The mail server permanently refused this recipient or message. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

/** What a notice is about. */
export type NoticeKind =
  | 'authenticatorAdded'
  | 'authenticatorRenamed'
  | 'authenticatorRemoved'
  /** An owner removed a member's authenticator: to the member, and to that owner. */
  | 'memberAuthenticatorRemoved'
  | 'ownerRemovedAuthenticator'
  /** To owners: an authenticator was removed because it was lost or stolen. */
  | 'authenticatorLost'
  | 'approvalWithdrawn'
  /** To the member whose sessions an owner ended, and to the owners. */
  | 'sessionsEnded'
  | 'memberSessionsEnded'
  /** To owners: a member registered their first authenticator. */
  | 'firstAuthenticator'
  /** To the holder of a pending authenticator, and to owners, who can vouch for it. */
  | 'authenticatorPending'
  | 'devicePending'
  | 'vouchWanted'
  /** To the holder, to the person who vouched, and to the owners. */
  | 'vouchedFor'
  | 'youVouched'
  | 'memberVouchedFor'
  /** To every owner: the operator's command confirmed an owner's authenticator. */
  | 'ownerConfirmed'
  /** To owners: a pull request was merged without an approval of its head. */
  | 'unapprovedMerge'
  /** To owners: a record was found that OTP Guard didn't write. */
  | 'forgedRecord'
  /** To owners: GitHub showed a green check that OTP Guard didn't give. */
  | 'forgedCheck'
  /** To a member without an authenticator, for an owner. */
  | 'registrationReminder'
  /** To owners: the policy was changed. */
  | 'policyChanged'
  /** To owners: the records were restored from a backup. */
  | 'restore'
  /** To owners: a hook was set, removed, or stopped because it failed for a week. */
  | 'hookSet'
  | 'hookRemoved'
  | 'hookStopped'
  | 'codesLocked'
  /** To the new address, and to the previous one. */
  | 'addressConfirmed'
  | 'addressReplaced'
  /** To a person who chose so: pull requests wait for them; at once, and once a day. */
  | 'pullsWait'
  | 'pullsDigest';

/** A pull request that waits for the recipient. */
export type NoticedPull = {
  /** `acme/shop#7` */
  name: string;
  /** As GitHub has it: a stranger chose it. */
  title: string;
  asked: AskedBy;
  /** The page that approves it. */
  url: string;
};

/** Names at the time of the event; which ones are set depends on the kind. */
export type NoticeData = {
  org?: string;
  login?: string;
  by?: string;
  type?: AuthenticatorType;
  label?: string;
  /** The label before a rename. */
  formerLabel?: string;
  /** The authenticator was lost or stolen at this time (RFC 3339). */
  lostSince?: string;
  /** How many approvals made with it since then were withdrawn. */
  withdrawn?: number;
  /** The time of the newest record in the backup that was restored (RFC 3339). */
  backup?: string;
  /** The company address that a person enrolled with. */
  address?: string;
  /** It's the person's only authenticator there, so they're reminded to register a second. */
  isOnly?: boolean;
  /** The outgoing webhook, and the host name of its address. */
  hook?: HookKind;
  host?: string;
  /** The organization's log with the entry about this: a C2SP checkpoint. */
  checkpoint?: string;
  /** The pull requests that wait, and how many more do. */
  pulls?: NoticedPull[];
  more?: number;
  /** OTP Guard's own address. */
  origin?: string;
};

/** A notice to queue: to the person's confirmed address, or to `to` if it is given. */
export type NewNotice = { kind: NoticeKind; data: NoticeData; userId: string; to?: string };

/** A queued notice. */
export type Notice = {
  id: string;
  kind: NoticeKind;
  data: NoticeData;
  /** The recipient. `to` is set if the message goes to an address that is no longer theirs. */
  userId: string;
  to: string;
  tries: number;
  due: Date;
};

export type Notices = {
  /** At most `most` notices that are due. */
  due(now: Date, most: number): Promise<Notice[]>;
  /** Claims this try of the notice; true for exactly one process. */
  claim(notice: Notice): Promise<boolean>;
  /** Schedules the next try. */
  retry(notice: Notice, due: Date): Promise<void>;
  done(notice: Notice): Promise<void>;
  /** The number of notices still to be sent. */
  count(): Promise<number>;
  add(notice: NewNotice, due: Date): Promise<void>;
};
