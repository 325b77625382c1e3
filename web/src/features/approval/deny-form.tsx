import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SecondaryButton } from '../../components/controls.tsx';
import { ReasonForm } from '../../components/reason-form.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { codeOf } from '../../lib/api/api-client.ts';
import { usePageContext } from '../../lib/react/use-client.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { requireApprovalTarget } from './approval-target.ts';
import { denyByCode, denyByKey } from './deny.ts';
import { canRetry } from './problem.ts';
import type { Decide } from './use-approval.ts';
import type { Approval } from './view-of.ts';

type Props = {
  approval: Approval;
  request: ApprovalRequest;
  type: 'webauthn' | 'totp';
  /** Resolves to null if the denial was sent, else to why it wasn't. */
  decide: (decide: Decide) => Promise<unknown>;
  /** Called once the page has to show the denial. */
  onDenied: () => void;
};

/** Asks why the person denies the commit on the screen, and lets them deny it in the way in which they'd approve it. */
export default function DenyForm({ approval, request, type, decide, onDenied }: Props) {
  const { status, problem } = approval;
  const context = usePageContext();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [isUnreported, setUnreported] = useState(false);
  const finish = () => {
    void navigate(keepQuery(pathname, search, { form: null }), { replace: true });
    onDenied();
  };
  const deny = async (reason: string, otp: string): Promise<unknown> => {
    const target = requireApprovalTarget(context);
    let isReported = true;
    const failure = await decide(async (deps, shown) => {
      const sent =
        type === 'totp' ? denyByCode(deps, target, reason, otp) : denyByKey(deps, target, shown, reason);
      isReported = (await sent).reported;
      return { kind: 'approved', answer: null };
    });
    // An answer may have been lost.
    if (failure !== null && codeOf(failure) !== 'alreadyDenied') return failure;
    if (isReported) finish();
    else setUnreported(true);
    return null;
  };
  if (isUnreported) {
    return (
      <>
        <p role="status">
          Your denial is safe. GitHub hasn't accepted the check yet; we'll keep trying. You can close this
          page.
        </p>
        <SecondaryButton onClick={finish}>Show the denial</SecondaryButton>
      </>
    );
  }
  return (
    <ReasonForm
      draft={`deny ${request.statement.head}`}
      hint="Up to 500 characters. The check shows them to everyone who can see the pull request."
      verb="Deny"
      busyAction="Denying"
      isCode={type === 'totp'}
      status={status}
      error={canRetry(problem) ? problem.text : null}
      onSubmit={deny}
    />
  );
}
