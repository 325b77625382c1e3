import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { CodeForm } from '../../components/code-form.tsx';
import { kinds } from '../../components/kinds.ts';
import { useCode } from '../../lib/react/use-code.ts';
import { ApprovalCard, ApprovalTargetPage } from './approval-card.tsx';
import type { ApprovalRequest } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import type { ApprovalOutcome, ApproveDeps } from './approve.ts';
import { canRetry } from './problem.ts';
import { type ApprovalMethod, useApproval } from './use-approval.ts';

const CODE: ApprovalMethod = {
  type: 'totp',
  icon: kinds.totp.icon,
  text: authenticatorKinds.totp.method,
  approve: approveByCode,
};

/** `/collect-totp`: shows one commit and lets the person approve it with a one-time code. */
export const CodePage = () => <ApprovalTargetPage Approve={ApproveByCode} />;

function ApproveByCode({ target }: { target: ApprovalTarget }) {
  const { approve, ...page } = useApproval(target, CODE);
  const { status, problem } = page.approval;
  const { field, takeFocus, refused } = useCode();

  const reloadForm = () => {
    // The field replaces the focused "Try again" button, so it takes the focus.
    takeFocus();
    page.reload();
  };

  return (
    <ApprovalCard {...page} method={CODE} reload={reloadForm}>
      <CodeForm
        action={problem?.next.kind === 'retry' ? 'Try again with code' : 'Approve with code'}
        busyAction="Approving"
        status={status}
        {...field}
        onSubmit={(otp) => void approve(otp).then(refused)}
        error={canRetry(problem) ? problem.text : null}
      />
    </ApprovalCard>
  );
}

/**
 * Approves the commit on the screen with a one-time code. The server refuses if it's no longer the head, or goes into
 * another branch than the screen shows.
 * Rejects with an `ApiError`; nothing is approved then.
 */
export async function approveByCode(
  { api, accessToken }: Pick<ApproveDeps, 'api' | 'accessToken'>,
  target: ApprovalTarget,
  { statement }: ApprovalRequest,
  otp: string,
): Promise<ApprovalOutcome> {
  const answer = await api.post('/github-totp-check', {
    otp,
    ...target,
    base: statement.base,
    accessToken: accessToken(),
  });
  return { kind: 'approved', answer };
}
