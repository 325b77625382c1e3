import { Button } from '../../components/button.tsx';
import { ApprovalCard, BY_PASSKEY } from './approval-card.tsx';
import { approve } from './approve.ts';
import type { Target } from './target.ts';
import { TargetPage } from './target-page.tsx';
import { type Method, useApproval } from './use-approval.ts';

const METHOD: Method = { type: 'webauthn', approve };

/** `/collect-passkey`: shows one commit, and lets the person approve exactly that with their passkey. */
export const ApprovalPage = () => <TargetPage Approve={ApproveByPasskey} />;

function ApproveByPasskey({ target }: { target: Target }) {
  const { approval, approve, reload } = useApproval(target, METHOD);
  const again = approval.problem?.next.kind === 'again';
  const action = again ? 'Try again with passkey' : 'Approve with passkey';
  return (
    <ApprovalCard approval={approval} by={BY_PASSKEY} onReload={() => void reload()}>
      <Button busy={approval.status !== 'awaiting'} onClick={() => void approve()}>
        {approval.status === 'pending' ? 'Waiting for your passkey' : action}
      </Button>
    </ApprovalCard>
  );
}
