import type { Account, Repository } from '../github-objects.ts';
import type { GateKind } from './run-state.ts';

/** A custom deployment protection rule: an App that must approve. */
export type Rule = { id: number; app: number };

/** An environment of a repository. Times are RFC 3339. */
export type Environment = {
  id: number;
  name: string;
  rules: Rule[];
  /** In minutes; 0 if there is no timer. */
  wait_timer: number;
  /** People whom GitHub itself asks; one of them is enough. Teams aren't known here. */
  reviewers: Account[];
  prevent_self_review: boolean;
  can_admins_bypass: boolean;
  created_at: string;
  updated_at: string;
};

/** What an administrator can set. */
export type EnvironmentSettings = Pick<
  Environment,
  'wait_timer' | 'reviewers' | 'prevent_self_review' | 'can_admins_bypass'
>;

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
        ...{ wait_timer: 0, reviewers: [], prevent_self_review: false },
        can_admins_bypass: true,
        created_at: now,
        updated_at: now,
      };
      byRepo.set(repo.id, [...all(repo), made]);
      return made;
    },
    /** Whether the repository can have custom rules: a private one needs GitHub Enterprise. */
    hasRules,
    /** The rules that a job meets at once. GitHub ignores those of a repository that became private. */
    gatesFor: (repo: Repository, name: string): GateKind[] => {
      const found = hasRules(repo) ? find(repo, name) : undefined;
      if (!found) return [];
      const own: GateKind[] = [];
      if (found.reviewers.length > 0) own.push('reviewers');
      if (found.wait_timer > 0) own.push('timer');
      return [...found.rules.map(({ app }) => app), ...own];
    },
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
    set: (environment: Environment, settings: Partial<EnvironmentSettings>) => {
      Object.assign(environment, settings);
      touch(environment);
    },
  };
}
