import type { SecurityImage } from '../contract/image.ts';

/** A person's session: the record store's user, bound for ever to one GitHub user. */
export type Session = {
  /** Record id in `gh_users`. */
  userId: string;
  githubId: number;
  login: string;
};

/** A person whom GitHub itself vouches for at this moment. */
export type Person = Session & { avatarUrl: string };

/** The GitHub user behind a user token. */
export type GitHubUser = { id: number; login: string; avatarUrl: string };

export type Account = { id: number; login: string; type: 'Organization' | 'User'; htmlUrl: string };

/** An installation of the App on an organization or a personal account. */
export type Installation = {
  id: number;
  account: Account;
  suspended: boolean;
  /** Which repositories the App was given. */
  repositorySelection: 'all' | 'selected';
  /** Where an owner changes that, on GitHub. */
  settingsUrl: string;
  /** What the account has granted: `checks` → `write`. */
  permissions: Record<string, string>;
};

export type Role = 'admin' | 'member';

/** What it takes to ask GitHub about the account of an installation. */
export type OrganizationRef = {
  orgId: number;
  name: string;
  installationId: number;
  accountType: 'Organization' | 'User';
};

/** An organization as the record store knows it. `id` is its record id. */
export type Organization = OrganizationRef & {
  id: string;
  suspended: boolean;
  htmlUrl: string;
  /** When all of its members were read from GitHub last. */
  membersAt: Date | null;
};

export type Sessions = {
  /** A new session of the user; answers its token, which ends by itself and is never renewed. */
  begin(userId: string): Promise<string>;
  /** The session of a record-store token; null where the token does not serve (any more). */
  read(token: string): Promise<Session | null>;
  /** Ends every token of this user. */
  endAll(userId: string): Promise<void>;
};

export type UserTokens = {
  /** Whose token of this App it is; null where GitHub refuses it or it is no token of this App. */
  check(token: string): Promise<GitHubUser | null>;
  /** The installations of this App that the person can see. */
  installations(token: string): Promise<Installation[]>;
  /** The organizations that the person is an active member of, with their role. */
  memberships(token: string): Promise<{ orgId: number; role: Role }[]>;
};

/** One of GitHub's members of an organization. */
export type Member = { githubId: number; login: string; role: Role };

export type Members = {
  /**
   * The person's role in the account of the installation, asked of GitHub now;
   * null where they are no active member. A personal account's owner is its
   * admin, and a collaborator of one of its repositories is its member.
   */
  role(org: OrganizationRef, person: { githubId: number; login: string }): Promise<Role | null>;
  /** A hint, without a question: the person was a member when it was asked last. It decides nothing. */
  isExpected(org: { installationId: number }, person: { githubId: number }): boolean;
  /** Every member of an organization; null where GitHub shows none of them to this installation. */
  list(org: OrganizationRef): Promise<Member[] | null>;
  /** The login that this GitHub user has now; null where there is no such user any more. */
  loginOf(org: OrganizationRef, githubId: number): Promise<string | null>;
};

/** Who belongs to which organization, as the record store has it from GitHub. */
export type Memberships = {
  /** The organizations of a person who has signed in here. */
  of(userId: string): Promise<{ org: Organization; role: Role }[]>;
  /** Writes one member down as GitHub has them; `role` null ends the membership. */
  save(org: Organization, member: { githubId: number; login: string }, role: Role | null): Promise<void>;
  /** Makes the members of the organization exactly these, as of `at`. */
  replace(org: Organization, members: Member[], at: Date): Promise<void>;
  /** How many members there are, and how many of them have an authenticator in the organization. */
  count(orgRecordId: string): Promise<{ total: number; enrolled: number }>;
  /** Members by login, at most `most` of those whose login comes after `after`. */
  list(
    orgRecordId: string,
    page: { missing: boolean; after: string; most: number },
  ): Promise<{ login: string; role: Role; enrolled: boolean }[]>;
};

export type Organizations = {
  byId(recordId: string): Promise<Organization | null>;
  byOrgId(orgId: number): Promise<Organization | null>;
  /** Records an installation's account; what is there already follows GitHub. */
  save(installation: Installation): Promise<Organization>;
  /** Forgets that the App is installed; records of the organization stay. */
  removed(installationId: number): Promise<void>;
  /** Sets the organization's security image and logs who did it, in one step. */
  setImage(org: Organization, image: SecurityImage, by: Session): Promise<void>;
};

export type Contact = { login: string; address: string; image: SecurityImage | null };

export type Users = {
  /** The GitHub id that this record was bound to at its first sign-in; 0 before. */
  githubIdOf(userId: string): Promise<number>;
  /** Writes what GitHub says of the user, and clears what sign-up copied from there besides. */
  saveProfile(userId: string, user: GitHubUser): Promise<void>;
  /** Makes the memberships of the user exactly these. */
  saveMemberships(user: Session, memberships: { org: Organization; role: Role }[]): Promise<void>;
  setImage(userId: string, image: SecurityImage): Promise<void>;
  /**
   * Makes this the person's confirmed address, with the messages to it and to
   * the one before, in one step.
   */
  setAddress(userId: string, address: string): Promise<void>;
  /** How to reach a person; `address` is empty where they confirmed none. Null where there is no such record. */
  contact(userId: string): Promise<Contact | null>;
  /** Undoes a sign-in that joined another GitHub account to this record, and ends its sessions. */
  unlink(userId: string, githubId: number): Promise<void>;
};

/** A code that was sent to an address, and what belongs together with it. */
export type EmailCode = {
  /** Record id. */
  id: string;
  sig: string;
  userId: string;
  email: string;
  /** Milliseconds since 1970. */
  ts: number;
  nonce: string;
  expires: Date;
};

export type EmailCodes = {
  add(code: Omit<EmailCode, 'id'>): Promise<void>;
  find(sig: string): Promise<EmailCode | null>;
  /** Takes one of the code's `most` tries, before it is looked at; false where none is left. */
  takeTry(code: EmailCode, most: number): Promise<boolean>;
  /** True once for each code, for one caller alone, in any process. */
  spend(code: EmailCode): Promise<boolean>;
};

/** A thing that may be done so many times within a while, counted for all processes together. */
export type Quota = {
  /** One of `most` places that are each taken for `ms`; else the time when the next one is free. */
  take(key: string, rule: { most: number; ms: number }, now: Date): Promise<Place | Date>;
};
/** What came to nothing gives its place back. */
export type Place = { giveBack(): Promise<void> };

export type MailMessage = {
  /** One address, already checked. */
  to: string;
  /** A constant text of ours, never a person's. */
  subject: string;
  /** Plain text; it may hold names and labels in any language. */
  text: string;
  /** The recipient's security image, drawn into the message. */
  image: SecurityImage | null;
};

export type Mailer = {
  /**
   * Resolves when the mail server has taken the message. Rejects with
   * `MailRefused` where it said no for good, with any other error where it may
   * work later.
   */
  send(message: MailMessage): Promise<void>;
};

/** The mail server said no for good, to this recipient or this message. */
export class MailRefused extends Error {}

/** What a message tells of. */
export type NoticeKind =
  | 'authenticatorAdded'
  | 'authenticatorRemoved'
  /** An owner removed it: to the member, and to that owner. */
  | 'memberAuthenticatorRemoved'
  | 'ownerRemovedAuthenticator'
  /** To owners: a member has their first one. */
  | 'firstAuthenticator'
  /** To owners: a pull request was merged although nobody had approved its head. */
  | 'unapprovedMerge'
  | 'codesLocked'
  /** To the new address, and to the one before. */
  | 'addressConfirmed'
  | 'addressReplaced';

/** Names as they were at that moment; which there are depends on the kind. */
export type NoticeData = { org?: string; login?: string; by?: string; type?: string; label?: string };

/** A message that is still to be sent. */
export type Notice = {
  id: string;
  kind: NoticeKind;
  data: NoticeData;
  /** To this person, or to this address where it is no longer theirs. */
  userId: string;
  to: string;
  tries: number;
  due: Date;
};

export type Notices = {
  /** Messages that are due, at most `most`. */
  due(now: Date, most: number): Promise<Notice[]>;
  /** True for one process alone, for this try. */
  claim(notice: Notice): Promise<boolean>;
  /** To be tried again at `due`. */
  retry(notice: Notice, due: Date): Promise<void>;
  done(notice: Notice): Promise<void>;
  /** How many are still to be sent. */
  count(): Promise<number>;
  add(notice: { kind: NoticeKind; data: NoticeData; userId: string }, due: Date): Promise<void>;
};
