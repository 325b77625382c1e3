import type { OnlyVerified } from '../approvals/judge/verify-stored-approval.ts';
import type { ProvedApprovals } from './ports.ts';

/** Without approvals whose assertion doesn't verify. */
export function createVerifiedProofs(
  provedApprovals: ProvedApprovals,
  onlyVerified: OnlyVerified,
): ProvedApprovals {
  return {
    ...provedApprovals,
    ofHead: async (orgId, head) => onlyVerified(await provedApprovals.ofHead(orgId, head)),
    async inPeriod(period) {
      const { approvals, next } = await provedApprovals.inPeriod(period);
      return { approvals: await onlyVerified(approvals), next };
    },
  };
}
