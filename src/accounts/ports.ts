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
export type Installation = { id: number; account: Account; suspended: boolean };

export type Role = 'admin' | 'member';

/** What it takes to ask GitHub about the account of an installation. */
export type OrganizationRef = {
  orgId: number;
  name: string;
  installationId: number;
  accountType: 'Organization' | 'User';
};

/** An organization as the record store knows it. `id` is its record id. */
export type Organization = OrganizationRef & { id: string; suspended: boolean };

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

export type Members = {
  /**
   * The person's role in the account of the installation, asked of GitHub now;
   * null where they are no active member. A personal account's owner is its
   * admin, and a collaborator of one of its repositories is its member.
   */
  role(org: OrganizationRef, person: { githubId: number; login: string }): Promise<Role | null>;
  /** A hint, without a question: the person was a member when it was asked last. It decides nothing. */
  isExpected(org: { installationId: number }, person: { githubId: number }): boolean;
};

export type Organizations = {
  byId(recordId: string): Promise<Organization | null>;
  byOrgId(orgId: number): Promise<Organization | null>;
  /** Records an installation's account; what is there already follows GitHub. */
  save(installation: Installation): Promise<Organization>;
  /** Forgets that the App is installed; records of the organization stay. */
  removed(installationId: number): Promise<void>;
};

export type Users = {
  /** The GitHub id that this record was bound to at its first sign-in; 0 before. */
  githubIdOf(userId: string): Promise<number>;
  /** Writes what GitHub says of the user, and clears what sign-up copied from there besides. */
  saveProfile(userId: string, user: GitHubUser): Promise<void>;
  /** Makes the memberships of the user exactly these. */
  saveMemberships(userId: string, memberships: { org: Organization; role: Role }[]): Promise<void>;
  /** Undoes a sign-in that joined another GitHub account to this record, and ends its sessions. */
  unlink(userId: string, githubId: number): Promise<void>;
};
