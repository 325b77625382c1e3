import { Button, SignButton } from '../../components/controls.tsx';
import { passkeyIcon } from '../../components/icon.tsx';
import { usePageState } from '../../lib/react/use-client.ts';
import { LOADING } from '../../lib/signing/use-signing.ts';
import { ApprovalCard, ApprovalTargetPage } from './approval-card.tsx';
import type { ApprovalTarget } from './approval-target.ts';
import { approve } from './approve.ts';
import { METHODS } from './denials.tsx';
import { type ApprovalMethod, useApproval } from './use-approval.ts';

const PASSKEY: ApprovalMethod = {
  type: 'webauthn',
  icon: passkeyIcon,
  text: METHODS.passkey,
  approve,
};

/** `/collect-passkey`: shows one commit and lets the person approve it with a passkey or security key. */
export const ApprovalPage = () => <ApprovalTargetPage Approve={ApproveByPasskey} />;

function ApproveByPasskey({ target }: { target: ApprovalTarget }) {
  const { approve, ...page } = useApproval(target, PASSKEY);
  const { status, problem } = page.approval;
  // Straight from the registration: the passkey that was just made approves next.
  const isNext = usePageState().done === 'registered';
  const isRetry = problem?.next.kind === 'retry';
  const action = isRetry ? 'Try again with passkey' : 'Approve with passkey';
  return (
    <ApprovalCard {...page} method={PASSKEY}>
      <SignButton
        autoFocus={isNext}
        {...{ status, action }}
        busyAction="Approving"
        onClick={() => void approve()}
      />
    </ApprovalCard>
  );
}

/** The approval page while it loads. `/collect` shows it, because most people see that page next: so nothing jumps. */
export const LoadingApprovalPage = () => (
  <ApprovalCard approval={LOADING} method={PASSKEY}>
    <Button busy>Approve with passkey</Button>
  </ApprovalCard>
);
