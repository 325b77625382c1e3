import { z } from 'zod';
import type { RuleOutcome } from './approvals.ts';
import { githubId, objectOf, organizationFields, repositoryName } from './fields.ts';
import { MOST_ENTRIES, policySchema } from './policy.ts';
import { stepUp } from './step-up.ts';

/** Refused as `parsePolicy` says, after the organization was checked. */
const policy = objectOf(z.unknown());

/** `POST /organization-policy` */
export const policyRequest = z.object(organizationFields);

/** `POST /github-set-policy` */
export const policyChange = z.object({
  ...organizationFields,
  policy,
  /**
   * SHA-256, base64url, over the RFC 8785 form of the policy that was changed. The change is refused if
   * another policy is in force by then; without it, it replaces any.
   */
  replaces: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, { error: 'invalid policy hash' })
    .optional(),
  stepUp: objectOf(stepUp).optional(),
});

/** `POST /github-try-policy` */
export const policyTrial = z.object({
  ...organizationFields,
  policy,
  /** The repository's name, without its owner. */
  repo: repositoryName('missing repo'),
  pr: githubId('missing pr'),
});

/** The outcome of a policy for an open pull request. `agents` is as in `ApprovalParamsAnswer`. */
export type PolicyTrialAnswer = {
  passed: boolean;
  rules: Omit<RuleOutcome, 'approvals' | 'by'>[];
  agents: string | null;
};

/** `POST /github-preview-policies`: for owners, to compare each policy with the one in force. */
export const policyPreview = z.object({
  ...organizationFields,
  policies: z.array(policy, { error: 'A list of policies is needed here.' }).min(1).max(8),
});

/**
 * `judged` counts the pull requests that were judged, of all `open` ones. `policies` has for each policy how many of them
 * pass now and would wait, and how many wait now and would pass; null if it has a fault.
 */
export type PolicyPreviewAnswer = {
  open: number;
  judged: number;
  policies: ({ wait: number; pass: number } | null)[];
};

const patterns = z
  .array(z.string().min(1).max(200), { error: 'A list is needed here.' })
  .min(1)
  .max(MOST_ENTRIES)
  .optional();

/** `POST /github-match-patterns`: for owners. */
export const patternTrial = z.object({
  ...organizationFields,
  repositories: patterns,
  branches: patterns,
  paths: patterns,
});

export type PatternLists = Pick<z.infer<typeof patternTrial>, 'repositories' | 'branches' | 'paths'>;

/** The waiting pull requests that the patterns of one field match. */
export type FieldMatches = {
  /** The number of pull requests compared: the longest waiting ones. */
  of: number;
  matching: number;
  /** The first three of them. */
  first: { repo: string; pr: number }[];
  /** The patterns that match no compared pull request. */
  unmatched: string[];
};

/** `waiting` counts all that wait. A field that wasn't sent is null. */
export type PatternMatchesAnswer = { waiting: number } & Record<keyof PatternLists, FieldMatches | null>;

/** `POST /github-preview-assurance`: for owners, before they change which authenticators count. */
export const assurancePreviewRequest = z.object({
  ...organizationFields,
  assurance: objectOf(policySchema.shape.assurance),
});

/** The number of members who can approve now but couldn't any more, and the logins of the first 20 of them. */
export type AssurancePreviewAnswer = { enrolled: number; without: number; logins: string[] };

/** `POST /rule-approvers`: for owners, about any policy. */
export const ruleApproversRequest = z.object({ orgID: githubId('No org ID, this is a bug'), policy });

/** A group (`members`, `owners`, `collaborators`), a team (`@octo-org/security`) or a person, by the login. */
export type ApproverColumn = { source: string; isPerson: boolean };

/**
 * Who can meet a rule with the authenticators that they have: `able` counts them, without the members of teams and outside
 * collaborators, and `logins` names the first five. `unknown` if these would have to make up the number that it asks for.
 */
export type RuleApprovers = {
  canBeMet: 'yes' | 'no' | 'unknown';
  able: number;
  logins: string[];
  /** For each column: it counts, it would count but has no authenticator that does, it doesn't, or we don't know. */
  cells: ('yes' | 'without' | 'no' | 'unknown')[];
};

/** The rules are in the order of the policy. `more` counts the columns that are left out. */
export type RuleApproversAnswer = { columns: ApproverColumn[]; more: number; rules: RuleApprovers[] };
