import { useState } from 'react';
import { whyNoReason } from '../../../src/contract/reason.ts';
import { useCode } from '../lib/react/use-code.ts';
import { useTabState } from '../lib/react/use-tab-state.ts';
import type { Status } from '../lib/signing/sign-shown.ts';
import { ActionError } from './action-error.tsx';
import { CodeForm } from './code-form.tsx';
import { SignButton } from './controls.tsx';
import { ReasonField } from './reason-field.tsx';

type Props = {
  /** The name under which the tab keeps the reason until it's sent. */
  draft: string;
  /** Says who will read the reason. */
  hint: string;
  /** What the button does, such as `Deny`, and while it does that. */
  verb: string;
  busyVerb: string;
  type: 'webauthn' | 'totp';
  status: Status;
  error: string | null;
  /** Resolves to the error if it failed, else to null. */
  onSubmit: (reason: string, code: string) => Promise<unknown>;
};

/** Asks for a reason, which a passkey, a security key or a one-time code sends. */
export function ReasonForm({ draft, hint, verb, busyVerb, type, status, error, onSubmit }: Props) {
  const [stored, setReason] = useTabState<string>(draft);
  const [isTried, setTried] = useState(false);
  const { field, refused } = useCode(0);
  const reason = stored ?? '';
  const isBusy = status !== 'awaiting';
  const submit = async (otp = '') => {
    setTried(true);
    if (isBusy || whyNoReason(reason.trim()) !== null) return;
    const failure = await onSubmit(reason.trim(), otp);
    if (failure === null) setReason(null);
    refused(failure);
  };
  return (
    <>
      <ReasonField
        label="Why?"
        hint={hint}
        reason={reason}
        onChange={setReason}
        isTried={isTried}
        readOnly={isBusy}
      />
      {type === 'totp' ? (
        <CodeForm
          action={`${verb} with code`}
          variant="danger"
          busyAction={busyVerb}
          status={status}
          {...field}
          onSubmit={(otp) => void submit(otp)}
          error={error}
        />
      ) : (
        <>
          <ActionError keepsRoom text={error} />
          <SignButton
            variant="danger"
            status={status}
            action={`${verb} with passkey`}
            busyAction={busyVerb}
            onClick={() => void submit()}
          />
        </>
      )}
    </>
  );
}
