import { z } from 'zod';
import { after, githubId, search } from './fields.ts';
import type { Finding, RepositoryCounts } from './findings.ts';
import type { Bypass, Said } from './protection.ts';

/** `POST /organization-health`: for owners. */
export const organizationHealthRequest = z.object({
  orgID: githubId('No org ID, this is a bug'),
  /** Reads everything from GitHub again, even if it was read a moment ago. */
  again: z.union([z.boolean(), z.stringbool()]).optional(),
});

export type OrganizationHealthRequest = z.infer<typeof organizationHealthRequest>;

/**
 * The requirement of the check on the default branch: from this App, from any source,
 * not at all, or unknown because the App can't read the rule.
 */
export type CheckRequirement = 'thisApp' | 'anySource' | 'no' | 'unknown';

/** `POST /organization-repositories`: for owners; what we last found in each repository, by name, 50 at a time. */
export const organizationRepositoriesRequest = z.object({
  orgID: githubId('No org ID, this is a bug'),
  /**
   * `unknown` includes repositories that aren't checked yet. `bypass` and `bypassUnknown` are those of the protected
   * that anyone may merge into without the check, or of which we don't know.
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

/** An environment. A part is null if we didn't ask GitHub, or if GitHub didn't say. */
export type RepositoryEnvironment = {
  name: string;
  /** True if OTP Guard's deployment protection rule is on. */
  isGated: boolean | null;
  /** True if administrators can start its waiting jobs. */
  canAdminsBypass: boolean | null;
};

/** The environments of a repository. */
export type RepositoryEnvironments = {
  /** The number of all; null if GitHub doesn't show them. */
  total: number | null;
  /** At most 100; we ask about the rules of at most 20. */
  first: RepositoryEnvironment[];
  /** True if the repository is private or internal, where the rule needs GitHub Enterprise; only asked if one has the rule. */
  isPrivate: boolean;
};

export type CheckedRepository = {
  name: string;
  defaultBranch: string;
  required: CheckRequirement;
  /** The actors that may merge without the check; null if it isn't required from this App, or if we don't know yet. */
  bypass: Bypass | null;
  /** The login of the owner who handed in what `bypass` rests on, null if they own nothing here any more, and when. */
  said: { login: string | null; at: Said['at'] } | null;
  /** Null if the account didn't grant what deployments take, or until we asked. */
  environments: RepositoryEnvironments | null;
  /** The page on GitHub on which an owner changes what the branch requires. */
  rulesUrl: string;
  /** The time at which we last asked GitHub (RFC 3339); null, with `required` unknown, if we haven't yet. */
  checked: string | null;
};

/** `findings` are about all repositories, as `repositories` of the health; `matches` counts all that match. */
export type OrganizationRepositoriesAnswer = {
  findings: Finding[];
  counts: RepositoryCounts;
  matches: number;
  repositories: CheckedRepository[];
  next: string | null;
};

/** At most ten repositories for which a list is news, as we know them with it; `filled` counts all. */
export type BypassListsAnswer = {
  filled: number;
  repositories: Pick<CheckedRepository, 'name' | 'defaultBranch' | 'bypass'>[];
};

/** What keeps an organization from being protected, now or soon. */
export type OrganizationHealth = {
  /** What keeps checks from being right and in time. */
  findings: Finding[];
  /** What keeps repositories from being protected, by what we last found in each. The first one sums them up. */
  repositories: Finding[];
  /** The page on GitHub on which an owner changes what the App may do and see. */
  settingsUrl: string;
  /** To import on GitHub; `organization` is null for a personal account. */
  rulesets: {
    repository: Ruleset;
    organization: { ruleset: Ruleset /** The organization's rulesets on GitHub. */; url: string } | null;
  };
};

/** A ruleset as GitHub exports and imports it: the dashboard only hands it on. */
export type Ruleset = object;
