import { WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { DenialAnswer } from '../../../../src/contract/denials.ts';
import { SecondaryButton } from '../../components/controls.tsx';
import { ReasonForm } from '../../components/reason-form.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { ApiError, codeOf } from '../../lib/api/api-client.ts';
import { usePageContext } from '../../lib/react/use-client.ts';
import { announceApproval, inPhases, type Phase, StatementRefused } from '../../lib/signing/sign-shown.ts';
import { useSignDeps } from '../../lib/signing/use-signing.ts';
import { webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { requireApprovalTarget } from './approval-target.ts';
import { approveDeps } from './approve.ts';
import { denyByCode, denyByKey } from './deny.ts';
import { canRetry, type Problem } from './problem.ts';
import type { ApprovalMethod } from './use-approval.ts';

export type DenyFormProps = {
  request: ApprovalRequest;
  method: ApprovalMethod;
  problem: Problem | null;
  /** Called with what the server refused, or with a statement that the page refused. */
  onFailed: (error: unknown) => void;
  /** Called once the page has to show the denial. */
  onDenied: () => void;
};

/** Asks why the person denies the commit on the screen, and lets them deny it in the way in which they'd approve it. */
export default function DenyForm({ request, method, problem, onFailed, onDenied }: DenyFormProps) {
  const { phase, error, isUnreported, deny, finish } = useDenial(request, method, { onFailed, onDenied });
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
      busyVerb="Denying"
      type={method.type}
      status={phase}
      error={error ?? (canRetry(problem) ? problem.text : null)}
      onSubmit={deny}
    />
  );
}

type Callbacks = Pick<DenyFormProps, 'onFailed' | 'onDenied'>;

function useDenial(request: ApprovalRequest, { type }: ApprovalMethod, { onFailed, onDenied }: Callbacks) {
  const signer = useSignDeps();
  const context = usePageContext();
  const target = useMemo(() => requireApprovalTarget(context), [context]);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [phase, setPhase] = useState<'awaiting' | Phase>('awaiting');
  const [error, setError] = useState<string | null>(null);
  const [isUnreported, setUnreported] = useState(false);
  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const finish = () => {
    void navigate(keepQuery(pathname, search, { form: null }), { replace: true });
    onDenied();
  };
  const send = (reason: string, otp: string): Promise<DenialAnswer> => {
    const deps = approveDeps(signer, target, type);
    if (type === 'totp') return denyByCode(deps, target, reason, otp);
    return denyByKey({ ...deps, sign: inPhases(deps.sign, setPhase) }, target, request, reason);
  };
  /** Resolves to the error if the denial failed, else to null. */
  const deny = async (reason: string, otp: string): Promise<unknown> => {
    setPhase('pending');
    setError(null);
    try {
      const { reported } = await send(reason, otp);
      announceApproval();
      if (reported) finish();
      else setUnreported(true);
      return null;
    } catch (failure) {
      setPhase('awaiting');
      // An answer may have been lost.
      if (codeOf(failure) === 'alreadyDenied') finish();
      else if (failure instanceof ApiError || failure instanceof StatementRefused) onFailed(failure);
      else setError(webauthnErrorText(failure, { nothing: 'Nothing was denied.' }));
      return failure;
    }
  };
  return { phase, error, isUnreported, deny, finish };
}
