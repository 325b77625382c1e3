import { useState } from 'react';
import { CodeForm } from '../../components/code-form.tsx';
import { phone } from '../../components/kinds.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useClient } from '../../lib/use-client.ts';
import { ApprovalCard, type By } from './approval-card.tsx';
import { approveByCode } from './approve-by-code.ts';
import type { Target } from './target.ts';
import { TargetPage } from './target-page.tsx';
import { type Method, useApproval } from './use-approval.ts';

const METHOD: Method = { type: 'totp', approve: approveByCode };
const BY_CODE: By = { outline: phone, text: 'approves with a one-time code', other: 'passkey' };

/** `/collect-totp`: shows one commit, and lets the person approve exactly that with a one-time code. */
export const CodePage = () => <TargetPage Approve={ApproveByCode} />;

function ApproveByCode({ target }: { target: Target }) {
  const { now } = useClient();
  const { approval, approve, reload } = useApproval(target, METHOD);
  const [code, setCode] = useState('');
  const [focus, setFocus] = useState(0);
  const [lockedUntil, setLockedUntil] = useState<number | null>(null);

  const submit = async (otp: string) => {
    const error = await approve(otp);
    if (!(error instanceof ApiError) || ![403, 429].includes(error.status)) return;
    if (error.status === 429) setLockedUntil(now() + (error.retryAfter ?? 60) * 1000);
    setCode('');
    setFocus((count) => count + 1);
  };

  const reloadForm = () => {
    // The field comes back in the place of the button that had the focus.
    setFocus((count) => count + 1);
    void reload();
  };

  return (
    <ApprovalCard approval={approval} by={BY_CODE} onReload={reloadForm}>
      <CodeForm
        label="One-time code"
        hint="The 6 digits that your app shows now. A code works once."
        action={approval.problem?.next.kind === 'again' ? 'Try again with code' : 'Approve with code'}
        busyAction={approval.status === 'loading' ? 'Approve with code' : 'Approving'}
        busy={approval.status !== 'awaiting'}
        code={code}
        onChange={setCode}
        onSubmit={(otp) => void submit(otp)}
        lockedUntil={lockedUntil}
        focus={focus}
      />
    </ApprovalCard>
  );
}
