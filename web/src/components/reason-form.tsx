import { useState } from 'react';
import { whyNoReason } from '../../../src/contract/reason.ts';
import { useCode } from '../lib/react/use-code.ts';
import { useTabState } from '../lib/react/use-tab-state.ts';
import { ReasonField } from './reason-field.tsx';
import { SignForm, type SignFormProps } from './sign-form.tsx';

type Props = Omit<SignFormProps, 'variant' | 'field' | 'onSubmit'> & {
  /** The name under which the tab keeps the reason until it's sent. */
  draft: string;
  /** Says who will read the reason. */
  hint: string;
  /** Resolves to the error if it failed, else to null. */
  onSubmit: (reason: string, code: string) => Promise<unknown>;
};

/** Asks for a reason, which a passkey, a security key or a one-time code sends. */
export function ReasonForm({ draft, hint, onSubmit, ...form }: Props) {
  const [stored, setReason] = useTabState<string>(draft);
  const [isTried, setTried] = useState(false);
  const { field, refused } = useCode(0);
  const reason = stored ?? '';
  const isBusy = form.status !== 'awaiting';
  const submit = async (otp: string) => {
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
      <SignForm {...form} variant="danger" field={field} onSubmit={(otp) => void submit(otp)} />
    </>
  );
}
