import type { Use } from '../../approvals/approve/require-counted.ts';
import type { SomePerson } from '../../approvals/judge/read-grounds.ts';
import type { Assurance } from '../../contract/policy.ts';
import { neededVerification, whyNotCounted } from '../../policies/why-not-counted.ts';
import type { JudgedDeployment } from '../judge/judge-deployment.ts';

/**
 * Tells how these uses of a person's authenticators would count for a deployment.
 *
 * @returns `refusal`: why none of them would, by the reason of the first; null if one would, or if there are none.
 *   `userVerification`: what one of them needs, to count for everything that it can.
 */
export function previewDecision(
  { subject, grounds }: Pick<JudgedDeployment, 'subject' | 'grounds'>,
  { person, fromOutside, uses }: { person: SomePerson; fromOutside: boolean; uses: Use[] },
): { refusal: string | null; userVerification: Assurance['userVerification'] } {
  const approvers = uses.map((use) => ({ ...use, githubId: person.githubId, fromOutside }));
  const reasons = approvers.map((approver) => whyNotCounted(approver, subject, grounds));
  return {
    refusal: reasons.includes(null) ? null : (reasons[0] ?? null),
    userVerification: neededVerification(approvers, subject, grounds),
  };
}
