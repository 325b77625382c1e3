import type { Effects } from '../audit/ports.ts';
import type { GateCounts, RepositoryCounts } from '../contract/findings.ts';
import type {
  CheckRequirement,
  RepositoryEnvironments,
  RepositoryState,
} from '../contract/organization-health.ts';
import type {
  BranchRule,
  Bypass,
  BypassActor,
  ProtectionChange,
  Said,
  WeakeningKind,
} from '../contract/protection.ts';
import type { AcknowledgeStatement } from '../contract/statement.ts';
import type { NewNotice } from '../notices/ports.ts';
import type {
  GitHubRepository,
  KnownRepository,
  Organization,
  OrganizationRef,
  RepositoryRef,
} from '../organizations/ports.ts';

/** A deploy key that can write. */
export type DeployKey = { id: number; title: string };

/** The protection of a default branch. A part is null if GitHub doesn't show it to us: that isn't "none". */
export type RepositoryProtection = {
  defaultBranch: string;
  /** The rulesets that require the check or a pull request, and rules that did when we looked before. */
  rulesets: BranchRule[] | null;
  /** The same of branch protection, GitHub's older form: one rule at most. */
  branchProtection: BranchRule[] | null;
  /** The keys that can write. */
  deployKeys: DeployKey[] | null;
  /** Undefined if we didn't ask. */
  environments?: RepositoryEnvironments | undefined;
  /** Bypass lists that an owner handed in since the last reading. The next one takes those of rulesets as GitHub has them now. */
  sent?: SentList[] | undefined;
};

/** The bypass list of a ruleset of GitHub's `id`, as of its change at `updated` (RFC 3339). */
export type SentList = { id: number; updated: string; bypass: BypassActor[]; said: Said };

/** The App's permissions in an account, and the account's owners. */
export type AccountProtection = {
  /** Null if GitHub doesn't list them, as for a personal account. */
  owners: { id: number; login: string }[] | null;
  /** The permissions that the account granted, for example `checks` → `write`; null if the App is removed. */
  permissions: Record<string, string> | null;
  repositorySelection: 'all' | 'selected' | null;
  /** The repositories that owners selected for the App; null if it has access to all. */
  repositories: { id: number; name: string }[] | null;
  isSuspended: boolean;
  isRemoved: boolean;
};

/** Reads what protects an account, with the App's own permissions. An outage throws: it isn't an answer. */
export type Protections = {
  /**
   * @param known What was known before. Its rules that don't require the check any more are in the answer, each with the
   *   state that says why.
   * @param canGate Whether the account granted what it takes to read environments, too.
   */
  repository(
    repo: RepositoryRef,
    branch: string,
    known?: RepositoryProtection | null,
    canGate?: boolean,
  ): Promise<RepositoryProtection>;
  account(org: OrganizationRef): Promise<AccountProtection>;
};

/** The last finding in a repository; `checked` is null, and `required` unknown, until we asked GitHub about it. */
export type RepositoryCheck = {
  id: number;
  /** Without the owner. */
  name: string;
  defaultBranch: string;
  required: CheckRequirement;
  bypass: Bypass | null;
  environments: RepositoryEnvironments | null;
  checked: Date | null;
};

/** A repository with what we knew of its protection, null before the first reading, and who did something since then. */
export type WatchedRepository = KnownRepository & {
  orgRecordId: string;
  defaultBranch: string;
  known: RepositoryProtection | null;
  noted: Noted | null;
  /** The permissions that its account granted when we last asked; null if we don't know. */
  permissions: Record<string, string> | null;
};

/** A repository whose protection is to be read again. `get` has what was known of it, which can be long. */
export type DueRepository = Omit<WatchedRepository, 'defaultBranch' | 'known' | 'noted' | 'permissions'>;

/** The requirements of each default branch, as far as we asked GitHub. They're for display, and decide nothing. */
export type RepositoryChecks = {
  /**
   * Makes the organization's repositories exactly these. A repository that is new, back, or has another default branch
   * is due immediately.
   */
  sync(orgRecordId: string, repositories: Omit<GitHubRepository, 'owner'>[]): Promise<void>;
  /** Stores one repository of the organization in the same way. */
  put(orgRecordId: string, repository: Omit<GitHubRepository, 'owner'>): Promise<void>;
  /** Keeps what was known of them, to compare it if they come back. */
  remove(repoIds: number[]): Promise<void>;
  /** At most `most` repositories that are due, longest due first, of organizations with the App: of `only` or all but `except`. */
  due(now: Date, options: { most: number; except?: string[]; only?: string }): Promise<DueRepository[]>;
  /** Null if no organization with the App has it. */
  get(repoId: number): Promise<WatchedRepository | null>;
  /**
   * Stores an answer of GitHub to a question that was asked `at`. The repository stays due, and what was noted stays noted,
   * if that was since then. Stores nothing if another organization has the repository by now.
   *
   * @returns False if it's too large for the store.
   */
  save(
    repo: Pick<WatchedRepository, 'id' | 'orgRecordId' | 'defaultBranch'>,
    found: {
      required: CheckRequirement;
      bypass: Bypass | null;
      known: RepositoryProtection | null;
      environments: RepositoryEnvironments | null;
      at: Date;
      due: Date;
    },
  ): Promise<boolean>;
  postpone(repoId: number, due: Date): Promise<void>;
  /** Makes a repository due now, or those of an organization that were checked before that time, and notes who did something. */
  markDue(
    which: ({ repoId: number } | { orgRecordId: string; checkedBefore: Date }) & {
      noted?: Noted | undefined;
    },
  ): Promise<void>;
  counts(orgRecordId: string): Promise<RepositoryCounts>;
  gates(orgRecordId: string): Promise<GateCounts>;
  /** The repositories of all organizations with the App in which an environment has its rule, and GitHub's id of their account. */
  gated(): Promise<(KnownRepository & { orgId: number })[]>;
  /**
   * At most `most` repositories in the order of their names, starting after the name `after`, whose name has `search` in
   * it. `matches` counts all that match.
   */
  list(
    orgRecordId: string,
    page: { state: RepositoryState; search: string; after: string; most: number },
  ): Promise<{ matches: number; repositories: RepositoryCheck[] }>;
};

/** The last known state of each account, which we compare GitHub's next answer with. */
export type KnownAccounts = {
  /** Null before the first reading. */
  get(orgRecordId: string): Promise<AccountProtection | null>;
  /** False if it's too large for the store. */
  save(orgRecordId: string, known: AccountProtection): Promise<boolean>;
};

/** A GitHub account at the time of an event. */
export type Actor = { id: number; login: string };

/** A change that a reading found. */
export type FoundChange = {
  /** Its `subject` is empty if it's about a person. */
  change: ProtectionChange;
  /**
   * GitHub's numbers of what changed, because a name can be given again: `rule/ruleset:7/team:3`, `key:5`,
   * `person:12`, `app/permission:checks`.
   */
  about: string;
  /** Who became an owner, or no longer is one. */
  person: Actor | null;
};

/** Something that became weaker around the check, as it's stored with its log entry. */
export type StoredWeakening = FoundChange & {
  /** The number of its log entry, and the hash of that entry's leaf (RFC 6962), base64. */
  entry: number;
  leafHash: string;
  /** Null if it's about the organization. */
  repoId: number | null;
  /** Who did it, as far as GitHub said. */
  by: Actor | null;
  at: Date;
  undone: Date | null;
  acknowledged: Date | null;
  /** The login of the owner who acknowledged it; empty if nobody did, or if their data was erased. */
  acknowledgedBy: string;
};

/**
 * Who GitHub says sent a webhook, and what it can be about: these kinds of change, of `about` or a part of it. The webhook
 * itself says nothing about what is so now.
 */
export type Noted = {
  by: Actor;
  kinds: readonly WeakeningKind[];
  about: string;
  at: Date;
  /** A state that lasted a moment at least, by a webhook, and the id of its delivery. */
  weakened?: { kind: MomentKind; delivery: string } | undefined;
};

/** The weakenings that a webhook tells for certain, even if they were undone before we asked GitHub. */
export type MomentKind = Extract<
  WeakeningKind,
  'checkNotRequired' | 'pullRequestNotRequired' | 'ruleNotActive' | 'protectionRemoved' | 'administratorsFree'
>;

export type NewWeakening = FoundChange & Pick<StoredWeakening, 'repoId' | 'by' | 'at'> & { undone?: Date };

export type Weakenings = {
  /** All that nobody acknowledged, newest first. */
  open(orgRecordId: string): Promise<StoredWeakening[]>;
  /** GitHub's ids of all whose promotion to owner nobody acknowledged. */
  promoted(orgRecordId: string): Promise<number[]>;
  /** All that nobody has undone, acknowledged or not, of a repository and of the organization, about this or a part of it. */
  lasting(orgRecordId: string, repoId: number, about: string): Promise<StoredWeakening[]>;
  /** The number of the newest; 0 if there is none. */
  newest(orgRecordId: string): Promise<number>;
  /** By the number of its log entry. */
  find(orgRecordId: string, entry: number): Promise<StoredWeakening | null>;
  /**
   * Stores a weakening with its log entry in one step.
   *
   * @param name The same name has the same entry, so a second call with it changes nothing, and answers false.
   */
  add(
    org: Organization,
    weakening: NewWeakening,
    logged: { name: string; effects: Effects },
  ): Promise<boolean>;
  /** Adds who did it, which GitHub said later. */
  setBy(org: Organization, entry: number, by: Actor): Promise<void>;
  /** Stores the log entry of a strengthening, and marks the weakenings that it undoes, in one step; once for each `name`. */
  addStrengthening(
    org: Organization,
    strengthening: { undone: number[]; at: Date },
    logged: { name: string; effects: Effects },
  ): Promise<boolean>;
  /** Stores who acknowledged it, and the effects, in one step. False if another owner already did. */
  acknowledge(
    org: Organization,
    entry: number,
    acknowledgement: {
      by: Actor;
      at: Date;
      /** The statement that they signed; null for a one-time code. */
      signed: { statement: AcknowledgeStatement; assertion: unknown; publicKey: string } | null;
    },
    effects: Effects,
  ): Promise<boolean>;
  /** The organizations with a weakening of that time, or with the App's removal since then, that no e-mail was about. */
  unmailed(time: { since: Date; until: Date }): Promise<Organization[]>;
  /**
   * Queues the e-mails about all weakenings of an organization that none was about, in one step. `compose` gets them,
   * newest first. False if there is none, or if another process did so at the same time.
   */
  mail(
    org: Organization,
    compose: (weakenings: StoredWeakening[]) => NewNotice[],
    at: Date,
  ): Promise<boolean>;
};
