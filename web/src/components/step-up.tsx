import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { type Proof, stepUpMethod } from '../lib/step-up.ts';
import { PREFER_CODE, type StepUpState } from '../lib/use-step-up.ts';
import type { OwnAuthenticators } from '../lib/user.ts';
import { Button } from './button.tsx';
import { CodeForm } from './code-form.tsx';
import { KeptLink } from './kept-link.tsx';
import { KnownImages } from './known-images.tsx';

type Props = {
  stepUp: StepUpState;
  own: OwnAuthenticators;
  onProved: (proof: Proof) => void;
  /** At work with a proof that it was given. */
  busy?: boolean;
  /** What the proof is for. */
  children: ReactNode;
};

/** The person shows, with an authenticator that they have, that it is them. Nothing where they have none. */
export function StepUp({ stepUp, own, onProved, busy = false, children }: Props) {
  const method = stepUpMethod(own, stepUp.preferCode);
  if (method === 'none') return null;
  return (
    <>
      <KnownImages />
      <p>{children}</p>
      {method === 'key' ? (
        <ByKey stepUp={stepUp} busy={busy} onProved={onProved} />
      ) : (
        <ByCode stepUp={stepUp} busy={busy} onProved={onProved} />
      )}
      {own.totp && own.webauthn.length > 0 && <Switch toCode={method === 'key'} />}
    </>
  );
}

type MethodProps = Pick<Props, 'stepUp' | 'onProved'> & { busy: boolean };

function ByKey({ stepUp, busy, onProved }: MethodProps) {
  const waiting = stepUp.status === 'pending';
  const press = async () => {
    const proof = await stepUp.byKey();
    if (proof) onProved(proof);
  };
  return (
    <Button busy={busy || waiting} onClick={() => void press()}>
      {waiting ? 'Waiting for your passkey' : 'Confirm with passkey'}
    </Button>
  );
}

function ByCode({ stepUp, busy, onProved }: MethodProps) {
  const [code, setCode] = useState('');
  return (
    <CodeForm
      label="One-time code"
      hint="The 6 digits that your app shows now. A code works once."
      action="Confirm with code"
      busyAction="Confirming"
      busy={busy}
      code={code}
      onChange={setCode}
      onSubmit={(otp) => onProved(stepUp.byCode(otp))}
      lockedUntil={stepUp.lockedUntil}
      focus={1}
    />
  );
}

function Switch({ toCode }: { toCode: boolean }) {
  const { pathname } = useLocation();
  return (
    <p>
      <KeptLink replace to={pathname} query={toCode ? PREFER_CODE : { stepUp: null }}>
        {toCode ? 'Use a one-time code instead' : 'Use a passkey instead'}
      </KeptLink>
    </p>
  );
}
