import { z } from 'zod';
import { after, githubId, search } from './fields.ts';
import type { Bypass } from './protection.ts';

/** `POST /organization-health`: for owners. */
export const organizationHealthRequest = z.object({
  orgID: githubId('No org ID, this is a bug'),
  /** Reads everything from GitHub again, even if it was read a moment ago. */
  again: z.union([z.boolean(), z.stringbool()]).optional(),
});

export type OrganizationHealthRequest = z.infer<typeof organizationHealthRequest>;

/**
 * Whether the default branch requires the check: from this App, from any source,
 * not at all, or unknown because the App can't read the rule.
 */
export type CheckRequirement = 'thisApp' | 'anySource' | 'no' | 'unknown';

/** `POST /organization-repositories`: for owners; what we last found in each repository, by name, 50 at a time. */
export const organizationRepositoriesRequest = z.object({
  orgID: githubId('No org ID, this is a bug'),
  /**
   * `unknown` includes those that aren't checked yet. `bypass` and `bypassUnknown` are those of the protected that somebody
   * may merge into without the check, or of which we don't know.
   */
  state: z.enum(['all', 'protected', 'anySource', 'notEnforced', 'unknown', 'bypass', 'bypassUnknown'], {
    error:
      'Choose all repositories, or those that are protected, from any source, not enforced, unknown, bypass or bypassUnknown.',
  }),
  search,
  after,
  /** Asks GitHub again, in the background, about every repository whose answer is older than five minutes. */
  again: z.union([z.boolean(), z.stringbool()]).optional(),
});

export type OrganizationRepositoriesRequest = z.infer<typeof organizationRepositoriesRequest>;
export type RepositoryState = OrganizationRepositoriesRequest['state'];

export type CheckedRepository = {
  name: string;
  defaultBranch: string;
  required: CheckRequirement;
  /** The actors that may merge without the check; null if it isn't required from this App, or if we don't know yet. */
  bypass: Bypass | null;
  /** The page on GitHub on which an owner changes that. */
  rulesUrl: string;
  /** When we last asked GitHub (RFC 3339); null, with `required` unknown, if we haven't yet. */
  checked: string | null;
};

/**
 * How many repositories there are, and of how many the default branch requires the check from this App (`protected`) or
 * from any source, doesn't require it, or couldn't be checked; `unchecked` are those of the unknown that we haven't asked
 * GitHub about yet.
 */
export type RepositoryCounts = {
  total: number;
  protected: number;
  /** Anybody who can write checks can satisfy the rule. */
  anySource: number;
  notEnforced: number;
  unknown: number;
  unchecked: number;
  /** Into how many of the protected nobody or somebody may merge without the check, and of how many we don't know. */
  bypass: { nobody: number; some: number; unknown: number };
};

/** `matches` counts all that match. */
export type OrganizationRepositoriesAnswer = {
  counts: RepositoryCounts;
  matches: number;
  repositories: CheckedRepository[];
  next: string | null;
};

/** The gaps in the protection of an organization, now or soon. Times are RFC 3339. */
export type OrganizationHealth = {
  permissions: {
    /** The permissions that the App needs and the account hasn't granted, for example `checks: write`. */
    missing: string[];
    /** Whether the App requests more than an owner has accepted so far. */
    isPending: boolean;
    /** The page on GitHub on which an owner accepts it. */
    settingsUrl: string;
  };
  /** Null if GitHub isn't an Enterprise Server. */
  enterpriseServer: {
    /** Such as 3.19.2. */
    version: string;
    /** Whether it's older than any that OTP Guard was compared with. */
    isUnchecked: boolean;
    /** Whether the App asks for merge groups; without them, a merge queue waits for the check for ever. */
    hasMergeGroups: boolean;
  } | null;
  webhooks: {
    /** When we last processed one of this organization. */
    last: string | null;
    /** How many didn't reach us, as of the last reconciliation. */
    missed: number;
    /** Since when GitHub shows changes that no webhook reported; null if webhooks arrive. */
    silentSince: string | null;
  };
  /** How often OTP Guard looks at repositories with green checks, in case a webhook is lost. */
  watchSeconds: number;
  /** How many approvals by lost or stolen authenticators couldn't be withdrawn yet. */
  lostLeft: number;
  /**
   * Whether people come through a proxy that isn't configured: all who aren't
   * signed in then share one limit, because they seem to have one address.
   */
  isProxyUnknown: boolean;
  /** The newest of this server's daily backups; null if it makes none. */
  backup: { last: string | null; isLate: boolean } | null;
  /** The last reconciliation. */
  sweep: { at: string; repaired: number; faults: string[] } | null;
  /** To import on GitHub; `organization` is null for a personal account. */
  rulesets: {
    repository: Ruleset;
    organization: { ruleset: Ruleset /** The organization's rulesets on GitHub. */; url: string } | null;
  };
  /** The counts are of what we last found in each repository. */
  counts: RepositoryCounts;
};

/** A ruleset as GitHub exports and imports it: the dashboard only hands it on. */
export type Ruleset = object;
