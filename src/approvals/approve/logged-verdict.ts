import type { LoggedVerdict } from '../../contract/log-entry.ts';
import type { Policy } from '../../contract/policy.ts';
import { policySha256 } from '../../policies/require-policy.ts';
import type { JudgedPull } from '../judge/judge.ts';

/**
 * A verdict, as the log keeps it.
 *
 * @param policyNumber Of the policy that the pull request was judged by; 0 for the default one.
 */
export function toLoggedVerdict(
  { passed, rules }: JudgedPull,
  { policy, policyNumber }: { policy: Policy; policyNumber: number },
): LoggedVerdict {
  return {
    passed,
    policyNumber,
    policySha256: policySha256(policy),
    rules: rules.map(({ name, enforced, met, missing, counted }) => ({
      name,
      enforced,
      met,
      missing,
      by: counted.map(({ login }) => login),
    })),
  };
}
