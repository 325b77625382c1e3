import type { Rule } from '../contract/policy.ts';
import { applies } from './applies.ts';
import type { RuledPull } from './facts.ts';
import type { Grounds } from './judged-rule.ts';

export type ApplyingRules = {
  /** Those that apply or may apply, enforced or reported only. */
  rules: { rule: Rule; isCertain: boolean }[];
  /**
   * Whether the seed is asked for: one approval of a member. It is, unless an
   * enforced rule is known to apply. One that only may apply can ask for more,
   * but never for less.
   */
  hasSeed: boolean;
};

export function applyingRules(pull: RuledPull, { policy, facts }: Grounds): ApplyingRules {
  const rules = policy.rules
    .map((rule) => ({ rule, certainty: applies(rule, pull, facts) }))
    .filter(({ certainty }) => certainty !== 'no')
    .map(({ rule, certainty }) => ({ rule, isCertain: certainty === 'yes' }));
  return { rules, hasSeed: !rules.some(({ rule, isCertain }) => rule.enforced && isCertain) };
}
