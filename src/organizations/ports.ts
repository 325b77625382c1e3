import type { NewActivity } from '../audit/ports.ts';
import type { SecurityImage } from '../contract/image.ts';
import type { MemberState, OrganizationAnswer, OrganizationMember } from '../contract/organization.ts';
import type { NewNotice } from '../notices/ports.ts';
import type { Session } from '../people/ports.ts';

export type Account = { id: number; login: string; type: 'Organization' | 'User'; htmlUrl: string };

/** An installation of the App on an organization or a personal account. */
export type Installation = {
  id: number;
  account: Account;
  suspended: boolean;
  /** Which repositories the App has access to. */
  repositorySelection: 'all' | 'selected';
  /** The page on GitHub on which an owner changes that. */
  settingsUrl: string;
  /** The permissions that the account has granted, for example `checks` → `write`. */
  permissions: Record<string, string>;
};

/** The App as GitHub has it. */
export type Registration = {
  /** The permissions that the App requests of every account, for example `checks` → `write`. */
  permissions: Record<string, string>;
  /** The Enterprise Server that it's on; null on github.com and ghe.com. */
  enterpriseServer: { version: string; isUnchecked: boolean } | null;
};

export type Installations = {
  /** Null if this App has no such installation. */
  get(id: number): Promise<Installation | null>;
  list(): Promise<Installation[]>;
  /** The repositories that the installation has access to, without archived ones. Null if it has ended. */
  repositories(id: number): Promise<GitHubRepository[] | null>;
  registration(): Promise<Registration>;
};

export type GitHubRepository = { id: number; owner: string; name: string; defaultBranch: string };

/** The address of a repository. Names change, so every decision also compares the repository's id. */
export type RepositoryRef = { installation: number; owner: string; name: string };

/** A repository by its names, for requests to GitHub, and by its id. */
export type KnownRepository = RepositoryRef & { id: number };

export type Role = 'admin' | 'member';

/** The facts that a request to GitHub about the account of an installation needs. */
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
  /** The time at which the full list of members was last read from GitHub. */
  membersAt: Date | null;
};

export type Organizations = {
  byId(recordId: string): Promise<Organization | null>;
  byOrgId(orgId: number): Promise<Organization | null>;
  /** Null if no organization has this installation now. */
  byInstallation(installationId: number): Promise<Organization | null>;
  /** Finds it by the account's login, in any case. */
  byName(name: string): Promise<Organization | null>;
  /** Every organization that ever had the App, those known longest first. */
  all(): Promise<Organization[]>;
  /** Saves an installation's account, and updates what is already there. */
  save(installation: Installation): Promise<Organization>;
  /** Marks the App as uninstalled; the organization's records stay. */
  removed(installationId: number): Promise<void>;
  /** Sets the organization's security image and stores the log entry, in one step. */
  setImage(org: Organization, image: SecurityImage, activity: NewActivity): Promise<void>;
};

/** One member of an organization, as GitHub lists them. */
export type Member = { githubId: number; login: string; role: Role };

export type Members = {
  /**
   * The person's current role in the installation's account, read from GitHub;
   * null if they aren't an active member. A personal account's owner is its
   * admin, and a collaborator of one of its repositories is its member.
   */
  role(org: OrganizationRef, person: { githubId: number; login: string }): Promise<Role | null>;
  /** A hint that costs no request: the person was a member at the last check. It decides nothing. */
  isExpected(org: { installationId: number }, person: { githubId: number }): boolean;
  /** Every member of an organization; null if GitHub doesn't show any of them to this installation. */
  list(org: OrganizationRef): Promise<Member[] | null>;
  /** The GitHub user's current login; null if the user no longer exists. */
  loginOf(org: OrganizationRef, githubId: number): Promise<string | null>;
};

/** Who belongs to which organization: the record store's copy of GitHub's answer. */
export type Memberships = {
  /** The organizations of a person who has signed in here. */
  of(userId: string): Promise<{ org: Organization; role: Role }[]>;
  /** Saves one member as GitHub lists them; `role` null ends the membership. */
  save(org: Organization, member: { githubId: number; login: string }, role: Role | null): Promise<void>;
  /** Saves these memberships of this person, and links others that are stored to their user. */
  saveOfPerson(person: Session, memberships: { org: Organization; role: Role }[]): Promise<void>;
  /** Makes the members of the organization exactly these, as of `at`. */
  replace(org: Organization, members: Member[], date: Date): Promise<void>;
  /** Record ids of at most 20 owners who confirmed an address, those known longest first. */
  ownersToNotify(orgRecordId: string): Promise<string[]>;
  count(orgRecordId: string): Promise<MemberCounts>;
  /** One member of the organization; `userId` is empty if they never signed in here. Null if there's no such member. */
  find(orgRecordId: string, githubId: number): Promise<{ login: string; userId: string } | null>;
  /** Like `find`, by the login, in any case; null if they never signed in here. */
  byLogin(orgRecordId: string, login: string): Promise<Session | null>;
  /**
   * At most `most` members in the order of their logins, starting after the login `after`, whose login has `search` in
   * it. `total` counts all that match.
   */
  list(
    orgRecordId: string,
    page: { state: MemberState; search: string; after: string; most: number },
  ): Promise<{ total: number; members: OrganizationMember[] }>;
};

type MemberCounts = Omit<NonNullable<OrganizationAnswer['members']>, 'sendsMail' | 'asOf'>;

/** A member with a confirmed address and no authenticator, not even a pending one. */
export type RemindableMember = { githubId: number; userId: string; login: string; reminded: Date | null };

export type MemberReminders = {
  /**
   * At most `most` members who can be reminded, those who weren't reminded for longest first, and how many more have no
   * authenticator and no confirmed address. With `memberId`, only that member.
   */
  remindable(
    orgRecordId: string,
    options: { memberId: number | undefined; most: number },
  ): Promise<{ members: RemindableMember[]; withoutAddress: number }>;
  /**
   * Stores the reminder and queues its notice in one step. False if the member was reminded after `notSince`: of
   * reminders at the same time, in any process, one is stored.
   */
  add(
    orgRecordId: string,
    reminder: { githubId: number; at: Date; notSince: Date; notice: NewNotice },
  ): Promise<boolean>;
};

/** The facts that GitHub shows to the holder of a user token. */
export type UserInstallations = {
  /** The installations of this App that the person can see. */
  installations(token: string): Promise<Installation[]>;
  /** The organizations that the person is an active member of, with their role. */
  memberships(token: string): Promise<{ orgId: number; role: Role }[]>;
};

/** An open pull request without an approval, for an organization's home. */
export type UnapprovedPull = {
  repoId: number;
  /** Without the owner. */
  repoName: string;
  pr: number;
  title: string;
  author: string;
  head: string;
  base: string;
  since: Date;
  lacks: Lack[];
  /** The newest denial of its head, with its time (RFC 3339); null without one. */
  denied: { login: string; reason: string; at: string } | null;
  /** What agents had a hand in, as one line; null if no rule asks, or if none is seen. */
  agents: string | null;
};

/** An enforced rule that a pull request doesn't meet; `rule` is empty for the one approval of a member. */
export type Lack = {
  rule: string;
  missing: string;
  /** The number of missing approvals. */
  lacking: number;
  /** GitHub ids of the people whose approval it counts. */
  counted: number[];
  /** GitHub ids of the people whose approval it doesn't count because of what they did: `notBy`. */
  excluded: number[];
};

type PullFilter = { repo?: string | undefined; rule?: string | undefined; until?: Date | undefined };

export type PullSearch = {
  /**
   * At most `most` open pull requests without an approval, longest waiting first, whose title, repository or author has
   * `search` in it; only those of `repo`, that lack `rule`, whose head waits since `until` or longer. `total` counts all
   * that match, as of `asOf`. `after` and `next` mark a place in the list. With `approved`, those that passed at the last
   * sync.
   */
  list(
    orgRecordId: string,
    page: PullFilter & { search: string; after: string; most: number; approved?: boolean },
  ): Promise<{ total: number; asOf: Date; pulls: UnapprovedPull[]; next: string | null }>;
};

export type ApprovalStatistics = {
  /**
   * The approvals of the last 31 days by UTC, oldest day first, without days that had none. `seconds` has, for each pull
   * request, the time from its opening to its first approval that day.
   */
  days(orgId: number): Promise<{ day: string; approvals: number; seconds: number[] }[]>;
};

/** A record that OTP Guard didn't write, or whose signature doesn't verify. It isn't counted. */
export type ForgedRecord = {
  collection: string;
  id: string;
  /** The organization that it claims, by its record id or by GitHub's id; neither if it claims none. */
  org: { recordId?: string; orgId?: number };
  reason: 'MAC' | 'assertion' | 'log';
};

/** The last reconciliation, as far as an organization's health page shows it. */
export type LastReconciliation = {
  latest(): Promise<{
    at: Date;
    report: {
      repaired: { repository: string }[];
      faults: { repository: string }[];
      missed: Record<string, number>;
    };
  } | null>;
};
