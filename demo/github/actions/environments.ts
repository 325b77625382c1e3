import type { Repository } from '../github-objects.ts';

/** A custom deployment protection rule: an App that must approve. */
export type Rule = { id: number; app: number };

/** An environment of a repository. Times are RFC 3339. */
export type Environment = {
  id: number;
  name: string;
  rules: Rule[];
  can_admins_bypass: boolean;
  created_at: string;
  updated_at: string;
};

/** GitHub: "a maximum of 6 deployment protection rules can be enabled on any environment at the same time". */
export const MOST_RULES = 6;

export type Environments = ReturnType<typeof createEnvironments>;

/**
 * The environments of all repositories.
 *
 * @param isEnterprise Whether the accounts are on a plan that has custom rules in private repositories.
 */
export function createEnvironments(isEnterprise: boolean) {
  const byRepo = new Map<number, Environment[]>();
  let nextID = 161_088_001;
  let nextRule = 3_701;
  const all = (repo: Repository) => byRepo.get(repo.id) ?? [];
  /** Upper and lower case are the same in a name. */
  const find = (repo: Repository, name: string) =>
    all(repo).find((one) => one.name.toLowerCase() === name.toLowerCase());
  const hasRules = (repo: Repository) => !repo.private || isEnterprise;
  const touch = (environment: Environment) => {
    environment.updated_at = new Date().toISOString();
  };
  return {
    all,
    find,
    /** GitHub creates an environment without rules when a workflow names one that isn't there. */
    findOrCreate: (repo: Repository, name: string): Environment => {
      const known = find(repo, name);
      if (known) return known;
      const now = new Date().toISOString();
      // Administrators may bypass unless one forbids it.
      const made = {
        id: nextID++,
        name,
        rules: [],
        can_admins_bypass: true,
        created_at: now,
        updated_at: now,
      };
      byRepo.set(repo.id, [...all(repo), made]);
      return made;
    },
    /** Whether the repository can have custom rules: a private one needs GitHub Enterprise. */
    hasRules,
    /** The rules that a job meets. GitHub ignores those of a repository that became private. */
    rulesFor: (repo: Repository, name: string): readonly Rule[] =>
      hasRules(repo) ? (find(repo, name)?.rules ?? []) : [],
    addRule: (environment: Environment, app: number): Rule => {
      const rule = { id: nextRule++, app };
      environment.rules.push(rule);
      touch(environment);
      return rule;
    },
    /** False if the environment has no such rule. */
    removeRule: (environment: Environment, id: number): boolean => {
      const at = environment.rules.findIndex((rule) => rule.id === id);
      if (at === -1) return false;
      environment.rules.splice(at, 1);
      touch(environment);
      return true;
    },
    setBypass: (environment: Environment, canBypass: boolean) => {
      environment.can_admins_bypass = canBypass;
      touch(environment);
    },
  };
}
