import type { Repository } from './github-objects.ts';

/** How one rule judged an update, as in GitHub's "Get a repository rule suite". */
export type RuleEvaluation = {
  rule_source: { type: string; id: number | null; name: string | null };
  enforcement: string;
  result: 'pass' | 'fail';
  rule_type: string;
  details: string | null;
};

/** One update of a branch, and how its rules judged it. */
export type RuleSuite = {
  id: number;
  repo: Repository;
  branch: string;
  before: string;
  after: string;
  /** A login; null for an App. */
  actor: string | null;
  pushed_at: string;
  evaluations: RuleEvaluation[];
};

export type RuleSuites = ReturnType<typeof createRuleSuites>;

export function createRuleSuites() {
  const suites: RuleSuite[] = [];
  return {
    add: (suite: Omit<RuleSuite, 'id' | 'pushed_at'>) =>
      void suites.unshift({ ...suite, id: suites.length + 1, pushed_at: new Date().toISOString() }),
    /** The updates of one repository, newest first. */
    of: (repo: Repository) => suites.filter((suite) => suite.repo.id === repo.id),
  };
}

/** `bypass` if a rule failed: an update is only recorded if it was let through. */
export const resultOf = (evaluations: readonly RuleEvaluation[]): 'pass' | 'bypass' =>
  evaluations.some(({ result }) => result === 'fail') ? 'bypass' : 'pass';
