import type { WithoutReceipt } from '../contract/receipts.ts';
import type { Organization } from '../organizations/ports.ts';
import type { ErasedApproval, ProvedApproval, ProvedApprovals } from './ports.ts';

const WHY = 'The data of a person who approved this commit was erased, so their approval has no receipt.';

/** Why a head's approvals have no receipts whose people were erased. @param input.found Those that are still there. */
export async function erasedApprovals(
  provedApprovals: Pick<ProvedApprovals, 'erasedOf'>,
  input: {
    org: Organization;
    head: string;
    isOf(erased: ErasedApproval): boolean;
    found: ProvedApproval[];
  },
): Promise<WithoutReceipt[]> {
  const { org, head, isOf, found } = input;
  const known = new Set(found.map(({ id }) => id));
  const erased = await provedApprovals.erasedOf(org.id, head);
  return erased.filter((one) => isOf(one) && !known.has(one.id)).map(() => ({ commit: head, why: WHY }));
}
