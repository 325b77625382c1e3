import type { Policy } from './policy.ts';

/**
 * The state of a part of an organization's setup. `attention`: it's worth knowing, or open on purpose. `failing`:
 * an owner or the operator has to act. `unknown`: it can't be told.
 */
export type FindingStatus = 'ok' | 'attention' | 'failing' | 'unknown';

/** GitHub's page of a repository's environments. */
type EnvironmentsPage = `${string}/settings/environments`;

/** Where an owner acts: a page on GitHub, of the installation or of the account's Apps or of environments, or a page of the dashboard. */
export type FindingAction = 'installation' | 'apps' | `/org/${string}` | EnvironmentsPage;

type NoFacts = Record<never, never>;
/** The number of repositories, members or changes it's about. */
type Count = { count: number };

/**
 * The number of repositories, and of those whose default branch requires the check from this App (`protected`) or
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
  /**
   * Into how many of the protected nobody may merge without the check, nobody by the word of an owner, or some people, and
   * of how many we don't know.
   */
  bypass: { nobody: number; said: number; some: number; unknown: number };
};

/** Numbers of repositories with an environment that has OTP Guard's rule, whose jobs administrators can start, or that we can't tell for. */
export type GateCounts = { gated: number; open: number; unknown: number };

/** What each finding is about. Times are RFC 3339. */
export type FindingFacts = {
  suspended: NoFacts;
  /** The permissions that the App needs and the account hasn't granted, and whether it requests any that no owner accepted. */
  permissions: { missing: { name: string; level: string }[]; isPending: boolean };
  /** The repositories that require the check; the App may have access to none. */
  required: RepositoryCounts;
  notEnforced: Count;
  anySource: Count;
  /** Repositories whose rules GitHub doesn't show. */
  unreadable: Count;
  /** Repositories that weren't checked yet. */
  unchecked: Count & RepositoryCounts;
  webhooks: {
    /** The time at which we last processed a webhook of this organization. */
    last: string | null;
    /** The number of webhooks that didn't reach us, as of the last reconciliation. */
    missed: number;
    /** Since when GitHub shows changes that no webhook reported. */
    silentSince: string | null;
    /** How often OTP Guard looks at repositories with green checks, in case a webhook is lost. */
    watchSeconds: number;
  };
  /** Only on an Enterprise Server. Without merge groups, a merge queue waits for the check for ever. */
  enterpriseServer: { version: string; isUnchecked: boolean; hasMergeGroups: boolean };
  /** Only while approvals by lost or stolen authenticators couldn't be withdrawn. */
  lostAuthenticators: { approvals: number };
  /** Only if people come through a proxy that isn't configured, so that all of them seem to have one address. */
  proxy: NoFacts;
  /** Only if this server makes daily backups. */
  backup: { last: string | null; isLate: boolean };
  /**
   * The last reconciliation of all open pull requests: how many runs it repaired, and the names of the repositories that
   * it failed for. Null if there was none.
   */
  fullCheck: { at: string; isOverdue: boolean; repaired: number; faults: string[]; isForAll: boolean } | null;
  /**
   * The optional gate for deployments: the permissions that it takes and the account hasn't granted, whether the App requests
   * them, and GitHub's page of the first protected repository. Only if there is one, or if an environment has the rule.
   */
  gate: GateCounts & {
    missing: { name: string; level: string }[];
    isRequested: boolean;
    environmentsUrl: EnvironmentsPage | null;
  };
  /** Repositories into which anyone may merge without the check, and how many more we can't tell for. */
  bypass: Count & { unknown: number; total: number };
  bypassUnknown: Count;
  /** Repositories of which only an owner says that nobody may bypass the check. */
  bypassSaid: Count;
  /** Weakenings that nobody has acknowledged. */
  weakened: Count;
  /**
   * `count` have no authenticator and none that waits, and `one` have a single one; `total` is 0 without a list of members
   * from GitHub.
   */
  members: Count & { total: number; enrolled: number; one: number };
  /** The way in for a first authenticator, and whether an owner chose it. */
  firstAuthenticator: { mode: Policy['enrolment']['mode']; isChosen: boolean };
  /** Where an author's approval is enough for their own pull request. */
  ownApprovals: { where: 'everywhere' | 'somewhere' | 'nowhere'; isChosen: boolean };
  /**
   * The pull requests that wait; of more than 10,000, those that wait longest. `unblocked` of them wait in repositories
   * that don't require the check from this App, of which `stuck` lack people to approve them: null without a list of members.
   */
  rollOut: { waiting: number; isComplete: boolean; unblocked: number; stuck: number | null };
};

export type FindingId = keyof FindingFacts;

export type Finding<Id extends FindingId = FindingId> = {
  [Each in Id]: {
    id: Each;
    status: FindingStatus;
    about: FindingFacts[Each];
    /** Null if there is nothing to do, or no page to do it on. */
    action: FindingAction | null;
  };
}[Id];
