import type { Enrolled } from '../contract/enrolment.ts';
import type { Policy } from '../contract/policy.ts';

/** Whether somebody's word, or the operator's, let the person in. */
export const hasVouch = (enrolled: Enrolled): boolean => enrolled === 'vouched' || enrolled === 'operator';

/** Whether the organization asks for a vouch for authenticators that came in without one, now or from a day on. */
export const asksForExisting = ({ enrolment }: Policy): boolean =>
  enrolment.mode === 'vouched' && enrolment.vouchExistingBy !== undefined;

/** Whether an authenticator counts that came in like this, or whether it needs a vouch by now. */
export function isTrusted(policy: Policy, enrolled: Enrolled, now: Date): boolean {
  if (!asksForExisting(policy) || hasVouch(enrolled)) return true;
  return now.toISOString().slice(0, 10) < (policy.enrolment.vouchExistingBy ?? '');
}
