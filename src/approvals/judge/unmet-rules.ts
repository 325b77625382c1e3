import type { Lack } from '../../organizations/ports.ts';
import { excludedPeople } from '../../policies/excluded.ts';
import { NO_FACTS } from '../../policies/facts.ts';
import type { Grounds, JudgedPull } from './judge.ts';

/** The enforced rules that a pull request doesn't meet, with the facts that later decide for whom it waits. */
export function lacksOf({ pull, rules }: JudgedPull, { policy, facts }: Grounds): Lack[] {
  const about = { pull, facts: facts.get(pull.number) ?? NO_FACTS };
  return rules
    .filter(({ enforced, met }) => enforced && !met)
    .map(({ name, missing, approvals, counted }) => {
      const rule = policy.rules.find((one) => one.name === name);
      return {
        rule: name,
        missing,
        lacking: approvals - counted.length,
        counted: counted.map(({ githubId }) => githubId),
        excluded: rule ? excludedPeople(rule, about) : [],
      };
    });
}
