import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { OwnAuthenticators } from '../lib/session/user.ts';
import { NO_AUTHENTICATORS, type Proof, stepUpMethod } from '../lib/signing/step-up.ts';
import { PREFER_CODE, type StepUpState } from '../lib/signing/use-step-up.ts';
import { ActionError } from './action-error.tsx';
import { CodeForm } from './code-form.tsx';
import { OtherMethod, SignButton } from './controls.tsx';
import { SecurityImages } from './security-images.tsx';

type Props = {
  stepUp: StepUpState;
  ownAuthenticators: OwnAuthenticators;
  onProof: (proof: Proof) => void;
  /** Why the last proof or action failed. */
  error: string | null;
  /** `danger` if the action takes something away for good. */
  variant?: 'primary' | 'danger';
  /** True if the page shows the security images already. */
  isBelowImages?: boolean;
  /** Says which action the person confirms. */
  children: ReactNode;
};

/** Asks for proof of one action with an authenticator that the person already has. */
export function StepUp(props: Props) {
  const {
    stepUp,
    ownAuthenticators,
    onProof,
    error,
    variant = 'primary',
    isBelowImages = false,
    children,
  } = props;
  const { pathname } = useLocation();
  const method = stepUpMethod(ownAuthenticators, stepUp.preferCode);
  if (method === 'none') return <ActionError text={NO_AUTHENTICATORS} />;
  return (
    <>
      {!isBelowImages && <SecurityImages />}
      <p>{children}</p>
      <ActionError text={error} />
      {method === 'key' ? (
        <KeyForm stepUp={stepUp} onProof={onProof} variant={variant} />
      ) : (
        <OneTimeCodeForm key={stepUp.refusals} stepUp={stepUp} onProof={onProof} variant={variant} />
      )}
      <OtherMethod
        own={ownAuthenticators}
        isCode={method === 'code'}
        replace
        to={pathname}
        query={method === 'key' ? PREFER_CODE : { stepUp: null }}
      />
    </>
  );
}

type MethodProps = Required<Pick<Props, 'stepUp' | 'onProof' | 'variant'>>;

function KeyForm({ stepUp, onProof, variant }: MethodProps) {
  const press = async () => {
    const proof = await stepUp.proveByKey();
    if (proof) onProof(proof);
  };
  return (
    <SignButton
      variant={variant}
      status={stepUp.status}
      action="Confirm with passkey"
      busyAction="Confirming"
      onClick={() => void press()}
    />
  );
}

function OneTimeCodeForm({ stepUp, onProof, variant }: MethodProps) {
  const [code, setCode] = useState('');
  return (
    <CodeForm
      action="Confirm with code"
      variant={variant}
      busyAction="Confirming"
      status="awaiting"
      code={code}
      onChange={setCode}
      onSubmit={(otp) => onProof(stepUp.proveByCode(otp))}
      error={stepUp.codeError}
      lockedUntil={stepUp.lockedUntil}
      focus={1}
    />
  );
}
