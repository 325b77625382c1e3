import type { BranchRule } from '../../contract/protection.ts';
import type { OrganizationRef, RepositoryRef } from '../ports.ts';

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
