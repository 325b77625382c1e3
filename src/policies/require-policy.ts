import { faultSentence, type Policy, parsePolicy } from '../contract/policy.ts';
import { AppError } from '../shared/app-error.ts';
import { sha256OfJson } from '../shared/sha256.ts';

/** The hash that a step-up binds a policy by, and by which two policies are compared. */
export const policySha256 = (policy: unknown): string => sha256OfJson(policy);

/**
 * The policy that somebody sent, with every part that was left out, and the hash of what was sent.
 *
 * @throws AppError `wrongPolicy` with the path of its first fault.
 */
export function requirePolicy(sent: unknown): { policy: Policy; sha256: string } {
  const { policy, fault } = parsePolicy(sent);
  if (!policy) throw new AppError('wrongPolicy', { sentence: faultSentence(fault) });
  return { policy, sha256: policySha256(sent) };
}
