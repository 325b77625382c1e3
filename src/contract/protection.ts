import { z } from 'zod';
import { authenticationResponse, githubId, organizationFields } from './fields.ts';

/**
 * A person whom a rule lets merge without the check. `administrators` are those of the repository, whom classic branch
 * protection doesn't bind unless "Do not allow bypassing" is on; `pushers` is everybody who can push, where no pull
 * request is required.
 */
export type BypassActor = {
  type: 'administrators' | 'owners' | 'role' | 'team' | 'app' | 'deployKeys' | 'person' | 'other' | 'pushers';
  /** GitHub's id; null for groups that need none. */
  id: number | null;
  /** GitHub's name for it, or ours if GitHub only has a number. */
  name: string;
  /**
   * The way in which they may go around the rule: always, only by merging a pull request, or `exempt`, for which
   * GitHub's own audit log has no entry.
   */
  mode: 'always' | 'pullRequest' | 'exempt';
  /** The number of people in a group, and the logins of at most 20 of them; undefined if we couldn't read them. */
  people?: { total: number; logins: string[] };
};
export type BypassMode = BypassActor['mode'];

/**
 * The state of a rule that requires the check, or did. A rule that no longer does is kept with the reason: GitHub
 * doesn't enforce the ruleset, it doesn't cover the default branch, it doesn't require the check, or it was deleted
 * it.
 */
export type RuleState = 'active' | 'notEnforced' | 'elsewhere' | 'withoutCheck' | 'removed';

/**
 * One rule of GitHub that requires the check or a pull request on a repository's default branch, by a ruleset or by branch
 * protection. `state` is about the check only.
 */
export type BranchRule = {
  state: RuleState;
  source: 'branchProtection' | 'repositoryRuleset' | 'organizationRuleset';
  /** The ruleset's id; null for branch protection. */
  id: number | null;
  name: string;
  /** True if the check has to come from our App; only for a rule that requires it. */
  isOurs: boolean;
  /**
   * True if only pull requests may change the branch now. GitHub accepts a push of a commit whose check passed, even if
   * that was for another branch. False for a rule that doesn't hold any more.
   */
  needsPull: boolean;
  /** The actors that may bypass it; null if GitHub doesn't tell us. */
  bypass: BypassActor[] | null;
  /** The time of the ruleset's last change, as of `bypass`; RFC 3339, null for branch protection. */
  updated: string | null;
  /** Set if GitHub doesn't show us `bypass`, and an owner handed it in. */
  said?: Said | undefined;
  /** The page on GitHub that changes it. */
  url: string;
};

/** GitHub's id of an owner, and when they handed in a list that OTP Guard can't check (RFC 3339). */
export type Said = { by: number; at: string };

/** The actors that may merge without the check into a default branch that requires it. */
export type Bypass = {
  /** `nobody` only if GitHub or an owner said so of one rule; `unknown` where neither told us. */
  state: 'nobody' | 'some' | 'unknown';
  /** At most 20 whom we know of; each may go around every rule that requires the check. */
  actors: BypassActor[];
  /** The rules that require the check there, so that people read which rule lets anyone around. */
  rules: Pick<BranchRule, 'source' | 'name' | 'url'>[];
  /** The one change that closes it, or that would let us see it; empty for `nobody`. */
  change: string;
  /** The page on GitHub on which an owner makes it; empty for `nobody`. */
  url: string;
  /** Set if `state` rests on a list that an owner handed in: OTP Guard couldn't check it. */
  said?: Said | undefined;
  /** The rulesets whose lists would tell, by GitHub's ids. */
  hidden?: number[] | undefined;
};

/** Kinds of protection around the check that can become weaker; see docs/ways-around.md. */
export type WeakeningKind =
  | 'checkNotRequired'
  | 'checkFromAnySource'
  | 'pullRequestNotRequired'
  | 'ruleNotActive'
  | 'ruleCoversLess'
  | 'bypassAdded'
  | 'bypassLoosened'
  | 'administratorsFree'
  | 'protectionRemoved'
  | 'deployKeyAdded'
  | 'environmentOpened'
  | 'ownerAdded'
  | 'permissionsReduced'
  | 'repositoriesReduced'
  | 'appSuspended'
  | 'appRemoved';

/** A change of what protects an organization. The log has it as `protectionWeakened` or `protectionStrengthened`. */
export type ProtectionChange = {
  kind: WeakeningKind;
  isWeaker: boolean;
  /**
   * The repository's name, without its owner; undefined for the organization. A change of an organization's ruleset has
   * none either, so it's one change in however many repositories it is found.
   */
  repo?: string;
  /** The thing that changed: a rule's name, a login, a key's title, a permission. */
  subject: string;
  /** The former and the new state, as short texts. */
  before: string;
  after: string;
};

/** A weakening that no second owner has acknowledged yet. Times are RFC 3339. */
export type Weakening = {
  /** The number of its log entry. */
  entry: number;
  at: string;
  change: ProtectionChange;
  /** One plain sentence, with who did it as far as GitHub said. */
  text: string;
  /** The login that GitHub named; null if no webhook told us. */
  by: string | null;
  /** The time at which it was undone; null while it lasts. */
  undone: string | null;
  /** Why the owner who asks can't acknowledge it; null if they can. */
  refusal: string | null;
  /** True if they are the only owner, and so acknowledge alone. */
  isAlone: boolean;
  /**
   * The number of further waiting deploy keys of the same repository: they are one row, and each is acknowledged
   * alone.
   */
  more: number;
};

const entry = {
  ...organizationFields,
  /** The number of the weakening's log entry. */
  entry: githubId('Missing the number of the log entry.'),
};

/** `POST /acknowledge-params`: for owners; answers `{challenge, options, statement}`. */
export const acknowledgeParams = z.object(entry);

/** `POST /acknowledge`: with one proof; answers the text `ok`. */
export const acknowledgement = z
  .object({
    ...entry,
    authResponse: authenticationResponse('Authentication was not completed').optional(),
    otp: z.string().max(32).optional(),
  })
  .refine(({ otp, authResponse }) => (otp === undefined) !== (authResponse === undefined), {
    error: 'Confirm with one authenticator: a passkey, a security key or a one-time code.',
  });
