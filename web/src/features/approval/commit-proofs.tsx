import ApprovalProofs from '../../components/approval-proofs.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import { readApprovalTarget } from './approval-target.ts';

/** The proofs of the commit in the address. They are seen by few, so they aren't part of the entry. */
export default function CommitProofs() {
  const read = readApprovalTarget(usePageContext());
  return 'target' in read ? <ApprovalProofs target={read.target} /> : null;
}
