import { useLocation } from 'react-router-dom';
import type { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Button } from '../../components/controls.tsx';
import { passkeyIcon } from '../../components/icon.tsx';
import { LOADING } from '../../lib/signing/use-signing.ts';
import { ApprovalCard, ApprovalTargetPage } from './approval-card.tsx';
import type { ApprovalTarget } from './approval-target.ts';
import { approve } from './approve.ts';
import { type ApprovalMethod, useApproval } from './use-approval.ts';

/** Typed by the contract's table instead of read from it, which keeps the table out of the entry. */
const TEXT: (typeof authenticatorKinds)['passkey']['method'] = 'a passkey';

const PASSKEY: ApprovalMethod = {
  type: 'webauthn',
  icon: passkeyIcon,
  text: TEXT,
  approve,
};

/** `/collect-passkey`: shows one commit and lets the person approve it with a passkey or security key. */
export const ApprovalPage = () => <ApprovalTargetPage Approve={ApproveByPasskey} />;

function ApproveByPasskey({ target }: { target: ApprovalTarget }) {
  const { approval, approve, reload } = useApproval(target, PASSKEY);
  // Straight from the registration: the passkey that was just made approves next.
  const isNext = useLocation().state === 'registered';
  const isRetry = approval.problem?.next.kind === 'retry';
  const action = isRetry ? 'Try again with passkey' : 'Approve with passkey';
  const { status } = approval;
  return (
    <ApprovalCard approval={approval} method={PASSKEY} onReload={() => void reload()}>
      <Button autoFocus={isNext} busy={status !== 'awaiting'} onClick={() => void approve()}>
        {status === 'signing' ? 'Waiting for your passkey' : status === 'pending' ? 'Approving' : action}
      </Button>
    </ApprovalCard>
  );
}

/** The approval page while it loads. `/collect` shows it, because most people see that page next: so nothing jumps. */
export const LoadingApprovalPage = () => (
  <ApprovalCard approval={LOADING} method={PASSKEY} onReload={() => undefined}>
    <Button busy>Approve with passkey</Button>
  </ApprovalCard>
);
