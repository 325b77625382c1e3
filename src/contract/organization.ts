import { z } from 'zod';
import type { AuthenticatorType } from './authenticator-kinds.ts';
import { accessToken, accountLogin, after, githubId, objectOf, repositoryName, search } from './fields.ts';
import type { Finding } from './findings.ts';
import type { Weakening } from './protection.ts';
import { stepUp } from './step-up.ts';

const orgID = githubId('No org ID, this is a bug');

/** `POST /organization`; for owners, `POST /organization-authenticators` and `POST /organization-statistics`. */
export const organizationRequest = z.object({ orgID });

/** An organization's home; from `members` on, each member is null for people who don't own it. */
export type OrganizationAnswer = {
  id: number;
  name: string;
  /** Its page on GitHub. */
  htmlUrl: string;
  accountType: 'Organization' | 'User';
  /** The person's role there, read from GitHub. */
  role: 'admin' | 'member';
  installation: {
    id: number;
    suspended: boolean;
    /** The repositories that the App has access to. */
    repositorySelection: 'all' | 'selected';
    /** The page on GitHub on which an owner changes that. */
    settingsUrl: string;
  };
  /**
   * The number of members, how many of them have an authenticator here, and when
   * GitHub's list was last read (RFC 3339); null if it hasn't been read yet.
   */
  members: {
    total: number;
    enrolled: number;
    /** The number of members with a single authenticator: losing it locks them out. */
    one: number;
    /** The number of members with a pending authenticator. */
    pending: number;
    /** The number of members without an authenticator whom a reminder reaches: they confirmed an e-mail address. */
    reachable: number;
    unreachable: number;
    /** True if this server sends e-mail at all. */
    sendsMail: boolean;
    asOf: string | null;
  } | null;
  /** What it leaves open beyond the check that repositories require, or that it's suspended. */
  findings: Finding[] | null;
  /** Weakenings around the check that wait for another owner to acknowledge them, worst first, at most 100 rows. */
  weakenings: Weakening[] | null;
  /** The number of waiting weakenings, including those without a row. */
  weakeningsTotal: number | null;
  /** Open pull requests whose head isn't approved, longest waiting first, at most 10; counted at `asOf` (RFC 3339). */
  waiting: { total: number; asOf: string; pulls: WaitingPull[] } | null;
  /** Deployments that wait for people, longest waiting first, at most 25. */
  deployments: WaitingDeployment[] | null;
};

export type WaitingPull = {
  /** The repository's name, without its owner. */
  repo: string;
  pr: number;
  title: string;
  /** The login of the account that opened it; empty if it no longer exists. */
  author: string;
  /** Head commit, full length. */
  head: string;
  /** The time at which this head started to wait (RFC 3339). */
  since: string;
  /** Its page on GitHub. */
  url: string;
  /** The page that approves it: a path of the dashboard. */
  approval: string;
  /** One sentence for each thing that it lacks. */
  missing: string[];
  /** The newest denial of its head; null if nobody denied it. */
  denied: { login: string; reason: string } | null;
  /** What agents had a hand in, as in `ApprovalParamsAnswer`. */
  agents: string | null;
};

/** A deployment that waits for people, as lists show it. */
export type WaitingDeployment = Pick<WaitingPull, 'missing' | 'denied'> & {
  org: string;
  /** The repository's name, without its owner. */
  repo: string;
  environment: string;
  run: number;
  /** The branch or tag, and the commit, full length. */
  ref: string;
  head: string;
  /** The time of GitHub's request (RFC 3339). */
  since: string;
  /** The page that decides about it: a path of the dashboard. */
  approval: string;
};

/** `POST /organization-pulls`: for owners; open pull requests without an approval, longest waiting first, 50 at a time. */
export const organizationPullsRequest = z.object({
  orgID,
  /** A part of the title, the repository's name or the author's login. */
  search,
  /** Limits the list to one repository, by its name. */
  repo: repositoryName('Choose a repository by its name.').optional(),
  /** Limits the list to pull requests that don't meet this rule, by its name; empty for the one approval of a member. */
  rule: z.string().max(100).optional(),
  /** Limits the list to pull requests whose head has waited for at least that long. */
  age: z
    .enum(['any', 'day', 'week', 'month'], { error: 'Choose any age, a day, a week or a month.' })
    .optional(),
  after,
});

export type OrganizationPullsRequest = z.infer<typeof organizationPullsRequest>;
export type PullAge = NonNullable<OrganizationPullsRequest['age']>;

/** `total` counts all that match, as of `asOf` (RFC 3339): the number of many is a while old. */
export type OrganizationPullsAnswer = {
  total: number;
  asOf: string;
  pulls: WaitingPull[];
  next: string | null;
};

/** `POST /organization-members`: for owners; by login, 50 at a time. */
export const organizationMembersRequest = z.object({
  orgID,
  /** `missing`: only those without an authenticator. `one`: only those with a single one. `pending`: only those who wait. */
  state: z.enum(['all', 'missing', 'one', 'pending'], {
    error: 'Choose all members, or those without an authenticator.',
  }),
  /** A part of the login. */
  search,
  after,
});

export type OrganizationMembersRequest = z.infer<typeof organizationMembersRequest>;
export type MemberState = OrganizationMembersRequest['state'];

export type OrganizationMember = {
  /** GitHub's id. */
  id: number;
  login: string;
  role: 'admin' | 'member';
  /** True if they have an authenticator in this organization. */
  enrolled: boolean;
  /** The number of their authenticators, without a pending one. */
  authenticators: number;
  /** The number of their authenticators of each kind, without a pending one. */
  kinds: { passkey: number; securityKey: number; totp: number };
  /** True if they have a pending one. */
  pending: boolean;
  /** The time at which they last approved something in this organization (RFC 3339). */
  lastApproval: string | null;
  /** True if they confirmed an e-mail address, so that they get e-mails. */
  hasAddress: boolean;
  /** The time at which an owner last reminded them to register (RFC 3339); forgotten after 90 days. */
  reminded: string | null;
  /** The company address that they enrolled with; empty if they didn't need one. */
  address: string;
  /** True if they have signed in here, so that they can have a session. */
  signedIn: boolean;
};

/** `POST /end-member-sessions`: for owners; ends every OTP Guard session of a member. */
export const memberSessionsEnd = z.object({
  org: accountLogin('Missing organization'),
  orgID,
  memberID: githubId('missing member'),
  stepUp: objectOf(stepUp).optional(),
  accessToken: accessToken.optional(),
});

/** `total` counts all that match. */
export type OrganizationMembersAnswer = {
  total: number;
  members: OrganizationMember[];
  next: string | null;
};

/** The number of the organization's authenticators of each kind, including pending ones. */
export type OrganizationAuthenticatorsAnswer = Record<AuthenticatorType, number>;

/** `POST /remind-members`: for owners; one e-mail to each member without an authenticator, or to one of them. */
export const memberReminder = z.object({
  org: accountLogin('Missing organization'),
  orgID,
  memberID: githubId('missing member').optional(),
  accessToken: accessToken.optional(),
});

/**
 * The number of members who get an e-mail now, who have no confirmed address, and who got one in the last seven days.
 */
export type MemberReminderAnswer = { sent: number; withoutAddress: number; already: number };

export type DayOfApprovals = {
  /** `2026-11-21` */
  day: string;
  /** The number of approvals given. */
  approvals: number;
  /** The median time from opening a pull request to its first approval that day, in seconds; null without one. */
  medianSeconds: number | null;
};

/** The last 30 days by UTC, oldest first. `medianSeconds` is the median of all 30 days. */
export type OrganizationStatisticsAnswer = Omit<DayOfApprovals, 'day'> & { days: DayOfApprovals[] };
