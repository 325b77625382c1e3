import type { Repository } from './github-objects.ts';

/** A check that branch protection requires; `app_id` is null for any source. */
export type ProtectedCheck = { context: string; app_id: number | null };

export type ProtectionValues = {
  /** Null if no checks are required. */
  checks: ProtectedCheck[] | null;
  strict: boolean;
  /** Whether only pull requests change the branch. */
  needsPull: boolean;
  enforceAdmins: boolean;
};

/** The classic protection of one branch. Times are RFC 3339. */
export type Protection = ProtectionValues & {
  id: number;
  branch: string;
  created_at: string;
  updated_at: string;
};

export type Protections = ReturnType<typeof createProtections>;

/** Branch protection, because the emulator's binds checks to no App, and lets every member go around it. */
export function createProtections() {
  const protections = new Map<string, Protection>();
  const disabled = new Set<number>();
  const keyOf = (repo: Repository, branch: string) => `${repo.id}:${branch}`;
  let nextID = 1;
  return {
    /** Undefined also while the repository's protections are disabled. */
    find: (repo: Repository, branch: string) =>
      disabled.has(repo.id) ? undefined : protections.get(keyOf(repo, branch)),
    /** Sets the protection of a branch, or removes it. */
    set: (repo: Repository, branch: string, values: ProtectionValues | undefined) => {
      const key = keyOf(repo, branch);
      const now = new Date().toISOString();
      const known = protections.get(key);
      protections.delete(key);
      if (!values) return undefined;
      const { id, created_at } = known ?? { id: nextID++, created_at: now };
      const protection = { ...values, id, branch, created_at, updated_at: now };
      protections.set(key, protection);
      return protection;
    },
    /** Disables or enables all protections of the repository together. */
    enable: (repo: Repository, isEnabled: boolean) =>
      void (isEnabled ? disabled.delete(repo.id) : disabled.add(repo.id)),
  };
}
