import ApprovalProofs from '../../components/approval-proofs.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import { readApprovalTarget } from './approval-target.ts';

/** The proofs of the commit in the address. */
export function CommitProofs() {
  const target = readApprovalTarget(usePageContext());
  return target && <ApprovalProofs target={target} />;
}
