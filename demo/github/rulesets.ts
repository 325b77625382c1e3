import { APP } from './credentials.ts';
import { SEED } from './seed.ts';

/** A check that a rule requires; `integration_id` is the App that it must come from, any if undefined. */
export type RequiredCheck = { context: string; integration_id?: number };

/** A ruleset of one repository for one branch, which requires checks. Nobody may bypass it. */
export type Ruleset = { id: number; repo: number; branch: string; checks: readonly RequiredCheck[] };

/** The rulesets, which the emulator lacks. */
export type Rulesets = {
  ofRepository(repo: number): Ruleset[];
  find(repo: number, branch: string): Ruleset | undefined;
  /** Creates, changes or, without a check, removes the ruleset of a branch. */
  require(repo: number, branch: string, checks: readonly RequiredCheck[]): void;
  /** Removes all rulesets. */
  clear(): void;
};

/** What the demo's `main` requires: our check, from our App. */
export const OUR_CHECK: RequiredCheck = { context: SEED.check, integration_id: APP.id };

export function createRulesets(): Rulesets {
  const rulesets = new Map<string, Ruleset>();
  const keyOf = (repo: number, branch: string) => `${repo}:${branch}`;
  let nextID = 42;
  return {
    ofRepository: (repo) => [...rulesets.values()].filter((ruleset) => ruleset.repo === repo),
    find: (repo, branch) => rulesets.get(keyOf(repo, branch)),
    require: (repo, branch, checks) => {
      const key = keyOf(repo, branch);
      const id = rulesets.get(key)?.id ?? nextID++;
      if (checks.length > 0) rulesets.set(key, { id, repo, branch, checks });
      else rulesets.delete(key);
    },
    clear: () => rulesets.clear(),
  };
}
