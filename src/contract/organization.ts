import { z } from 'zod';
import { githubId } from './fields.ts';

/** `POST /organization` */
export const organizationRequest = z.object({ orgID: githubId('No org ID, this is a bug') });

/** What the home of an organization shows; `members` and `waiting` are for owners alone, and null for others. */
export type OrganizationAnswer = {
  id: number;
  name: string;
  /** Its page on GitHub. */
  htmlUrl: string;
  accountType: 'Organization' | 'User';
  /** What GitHub says that the person is there. */
  role: 'admin' | 'member';
  installation: {
    id: number;
    suspended: boolean;
    /** Which repositories the App was given. */
    repositorySelection: 'all' | 'selected';
    /** Where an owner changes that, on GitHub. */
    settingsUrl: string;
  };
  /**
   * How many members GitHub names, how many of them have an authenticator here,
   * and when GitHub was asked (RFC 3339); null where it was not asked yet.
   */
  members: { total: number; enrolled: number; asOf: string | null } | null;
  /** Open pull requests whose head is not approved, the longest waiting first, at most 10. */
  waiting: { total: number; pulls: WaitingPull[] } | null;
};

export type WaitingPull = {
  /** The repository's name, without its owner. */
  repo: string;
  pr: number;
  title: string;
  /** The login of who opened it; empty where GitHub knows the account no more. */
  author: string;
  /** Head commit, full length. */
  head: string;
  /** Since when this head waits (RFC 3339). */
  since: string;
  /** Its page on GitHub. */
  url: string;
  /** The page that approves it: a path of the dashboard. */
  approval: string;
};

/** `POST /organization-members`: for owners; by login, 50 at a time. */
export const organizationMembersRequest = z.object({
  orgID: githubId('No org ID, this is a bug'),
  /** `missing`: those without an authenticator alone. */
  state: z.enum(['all', 'missing'], { error: 'Choose all members, or those without an authenticator.' }),
  /** The `next` of the page before. */
  after: z.string().max(100).optional(),
});

export type OrganizationMember = {
  login: string;
  role: 'admin' | 'member';
  /** Whether they have an authenticator in this organization. */
  enrolled: boolean;
};

export type OrganizationMembersAnswer = { members: OrganizationMember[]; next: string | null };

/** `POST /organization-health`: for owners; repositories by name, 10 at a time. */
export const organizationHealthRequest = z.object({
  orgID: githubId('No org ID, this is a bug'),
  /** The `next` of the page before. */
  after: z.string().max(100).optional(),
  /** Asks GitHub again, also for what was asked a moment ago. */
  again: z.union([z.boolean(), z.stringbool()]).optional(),
});

/**
 * Whether the default branch asks for the check: from this App, from anyone, not
 * at all, or not known, where the App may not read the rule.
 */
export type CheckRequirement = 'thisApp' | 'anySource' | 'no' | 'unknown';

export type RepositoryHealth = {
  name: string;
  defaultBranch: string;
  required: CheckRequirement;
  /** Where an owner changes that, on GitHub. */
  rulesUrl: string;
};

/** What keeps an organization from being protected, or could. Times are RFC 3339. */
export type OrganizationHealth = {
  permissions: {
    /** What the App needs and was not given: `checks: write`. */
    missing: string[];
    /** The App asks for more than an owner has accepted yet. */
    isPending: boolean;
    /** Where an owner accepts it, on GitHub. */
    settingsUrl: string;
  };
  webhooks: {
    /** When the last one of this organization was worked through. */
    last: string | null;
    /** How many did not reach us, as of the sweeper's last round. */
    missed: number;
  };
  /** The sweeper's last round. */
  sweep: { at: string; repaired: number; faults: string[] } | null;
  repositories: RepositoryHealth[];
  next: string | null;
};
