import type { Effects } from '../audit/ports.ts';
import type { SecurityImage } from '../contract/image.ts';
import type { Contacts, NewNotice } from '../notices/ports.ts';

/** A person's session: a user of the record store, permanently bound to one GitHub user. */
export type Session = {
  /** Record id in `gh_users`. */
  userId: string;
  githubId: number;
  login: string;
};

/** A person whose identity GitHub has just confirmed. */
export type Person = Session & { avatarUrl: string };

/** The GitHub user behind a user token. */
export type GitHubUser = { id: number; login: string; avatarUrl: string };

export type Sessions = {
  /** Starts a session and returns its token. A token expires and is never renewed. */
  begin(userId: string): Promise<string>;
  /** The session of a token; null if the token isn't valid, or no longer is. */
  read(token: string): Promise<Session | null>;
  /** Ends every session of this user, and stores the effects in the same step. */
  endAll(userId: string, effects?: Effects): Promise<void>;
};

/** A session's own user record, and the token that proves the session. */
export type MyUserRecord = {
  token: string;
  record: { id: string; github_id: number; username: string } & Record<string, unknown>;
};

/**
 * Reads the session's own user record, with the fields that only this person
 * may see: the record store hides them from fellow members and from filters,
 * and no other answer contains them. `email` is the confirmed address, or
 * empty; what the record store keeps under that name isn't an address.
 *
 * @returns Null if the token isn't valid.
 * @throws AppError `storeUnavailable`.
 */
export type ReadMyUserRecord = (token: string, expand?: string) => Promise<MyUserRecord | null>;

export type UserTokens = {
  /** Returns the token's user; null if GitHub refuses the token, or issued it to another App. */
  check(token: string): Promise<GitHubUser | null>;
};

/** The memberships of a person who signs in. `T` is what GitHub says, opaque to the sign-in. */
export type MembershipsAtSignIn<T = unknown> = {
  /** Reads from GitHub which organizations this token's user belongs to. */
  read(accessToken: string): Promise<T>;
  /** Adds and updates these. Ends another one only if GitHub says now that the person is no member. */
  save(person: Session, found: T): Promise<void>;
};

export type Users = Contacts & {
  /** The GitHub id that this record was bound to at its first sign-in; 0 before that. */
  githubIdOf(userId: string): Promise<number>;
  /** Saves GitHub's profile of the user, and clears everything else that sign-up copied from GitHub. */
  saveProfile(userId: string, user: GitHubUser): Promise<void>;
  setImage(userId: string, image: SecurityImage): Promise<void>;
  /** Saves the person's confirmed address and queues the notices, in one step. */
  setAddress(userId: string, address: string, notices: NewNotice[]): Promise<void>;
  /** The record id of a GitHub user who has signed in here; null if they haven't. */
  userIdOf(githubId: number): Promise<string | null>;
  /** The addresses of the pictures of the GitHub users who have signed in here. */
  avatars(githubIds: number[]): Promise<Map<number, string>>;
  /** Undoes a sign-in that linked another GitHub account to this record, and ends its sessions. */
  unlink(userId: string, githubId: number): Promise<void>;
};

/** A code that was e-mailed to an unconfirmed address, and what it is bound to. */
export type EmailCode = {
  /** Record id. */
  id: string;
  sig: string;
  userId: string;
  email: string;
  /** GitHub's id of the organization that it enrols in; 0 if it confirms the address of notices. */
  orgId: number;
  /** Milliseconds since 1970. */
  ts: number;
  nonce: string;
  expires: Date;
};

export type EmailCodes = {
  add(code: Omit<EmailCode, 'id'>): Promise<void>;
  find(sig: string): Promise<EmailCode | null>;
  /** Takes one of the code's `most` tries before the code is checked. Resolves to the tries left; null if none was. */
  takeTry(code: EmailCode, most: number): Promise<number | null>;
  /** True once per code, for exactly one caller in all processes. */
  consume(code: EmailCode): Promise<boolean>;
};

/** Binds a code to the person, the address and the purpose that it was made for; base64url. */
export type SignEmailCode = (parts: {
  userId: string;
  email: string;
  orgId: number;
  /** Milliseconds since 1970. */
  ts: number;
  nonce: string;
  code: string;
}) => string;
