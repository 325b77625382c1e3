import type { Effects } from '../../audit/ports.ts';
import type { BranchRule, ProtectionChange } from '../../contract/protection.ts';
import type { AcknowledgeStatement } from '../../contract/statement.ts';
import type { NewNotice } from '../../notices/ports.ts';
import type { Organization, OrganizationRef, RepositoryRef } from '../ports.ts';

/** A deploy key that can write. */
export type DeployKey = { id: number; title: string };

/** What protects a repository's default branch. A part is null if GitHub doesn't show it to us: that isn't "none". */
export type RepositoryProtection = {
  defaultBranch: string;
  /** The rulesets that require the check, and those that did when we looked before. */
  rulesets: BranchRule[] | null;
  /** The same of branch protection, GitHub's older form: one rule at most. */
  branchProtection: BranchRule[] | null;
  /** Those that can write. */
  deployKeys: DeployKey[] | null;
};

/** What the App may do in an account, and who owns it. */
export type AccountProtection = {
  /** Null if GitHub doesn't list them, as for a personal account. */
  owners: { id: number; login: string }[] | null;
  /** What the account granted, for example `checks` → `write`; null if the App is removed. */
  permissions: Record<string, string> | null;
  repositorySelection: 'all' | 'selected' | null;
  /** How many repositories the App has access to. */
  repositories: number | null;
  isSuspended: boolean;
  isRemoved: boolean;
};

/** Reads what protects an account, with the App's own permissions. An outage throws: it isn't an answer. */
export type Protections = {
  /**
   * @param known What was known before. Its rules that don't require the check any more are in the answer, each with the
   *   state that says why.
   */
  repository(
    repo: RepositoryRef,
    branch: string,
    known?: RepositoryProtection | null,
  ): Promise<RepositoryProtection>;
  account(org: OrganizationRef): Promise<AccountProtection>;
};

/** What we last knew of each account, and so compare GitHub's next answer with. */
export type KnownAccounts = {
  /** Null before the first reading. */
  get(orgRecordId: string): Promise<AccountProtection | null>;
  save(orgRecordId: string, known: AccountProtection): Promise<void>;
  /** The organizations that have the App, as far as we know. */
  organizations(): Promise<Organization[]>;
};

/** A GitHub account at the time of an event. */
export type Actor = { id: number; login: string };

/** Something that became weaker around the check, as it's stored with its log entry. */
export type StoredWeakening = {
  /** The number of its log entry, and the hash of that entry's leaf (RFC 6962), base64. */
  entry: number;
  leafHash: string;
  /** Null if it's about the organization. */
  repoId: number | null;
  /** Its `subject` is empty if it's about a person. */
  change: ProtectionChange;
  /** Who became an owner. */
  person: Actor | null;
  /** Who did it, as far as GitHub said. */
  by: Actor | null;
  at: Date;
  undone: Date | null;
  acknowledged: Date | null;
};

export type NewWeakening = Pick<StoredWeakening, 'repoId' | 'change' | 'person' | 'by' | 'at'>;

export type Weakenings = {
  /** At most 100 that nobody acknowledged, newest first. */
  open(orgRecordId: string): Promise<StoredWeakening[]>;
  /** At most 100 that nobody has undone, acknowledged or not, newest first: of a repository, and of the organization. */
  lasting(orgRecordId: string, repoId: number): Promise<StoredWeakening[]>;
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
  /** Stores who acknowledged it, and the effects, in one step. False if somebody else already did. */
  acknowledge(
    org: Organization,
    entry: number,
    acknowledgement: {
      by: Actor;
      at: Date;
      /** What they signed; null for a one-time code. */
      signed: { statement: AcknowledgeStatement; assertion: unknown; publicKey: string } | null;
    },
    effects: Effects,
  ): Promise<boolean>;
  /** The organizations with a weakening of that time, or with the App's removal since then, that no e-mail was about. */
  unmailed(time: { since: Date; until: Date }): Promise<Organization[]>;
  /**
   * Queues the e-mails about all weakenings of an organization that none was about, in one step. `compose` gets them,
   * newest first, at most 100. False if there is none, or if another process did so at the same time.
   */
  mail(
    org: Organization,
    compose: (weakenings: StoredWeakening[]) => NewNotice[],
    at: Date,
  ): Promise<boolean>;
};
