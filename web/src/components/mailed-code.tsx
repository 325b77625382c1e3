import { type ReactNode, useState } from 'react';
import type { MailedCode } from '../lib/react/use-mailed-code.ts';
import { CodeForm } from './code-form.tsx';
import { SecondaryButton } from './controls.tsx';
import { SecurityImages } from './security-images.tsx';
import { Label } from './text.tsx';

type Props = {
  mailed: MailedCode;
  action: string;
  busyAction: string;
  /** Resolves to whether the code was taken; otherwise the field is emptied for another one. */
  onSubmit: (code: string) => Promise<boolean>;
  lockedUntil?: number | null;
  /** Other buttons. */
  children?: ReactNode;
};

/** Asks for the code that was sent to an address, and offers what to do if it doesn't arrive. */
export function MailedCodeStep({ mailed, onSubmit, children, ...form }: Props) {
  const { sent, pending, error, request, goBack } = mailed;
  const [code, setCode] = useState('');
  const [focus, setFocus] = useState(1);
  const startOver = () => {
    setCode('');
    setFocus((count) => count + 1);
  };
  const submit = async (digits: string) => {
    if (!(await onSubmit(digits))) startOver();
  };
  const resend = async () => {
    if (await request()) startOver();
  };
  return (
    <>
      <SecurityImages />
      <p>
        We sent a 6-digit code to <Label text={sent?.email ?? ''} strong />.
      </p>
      <CodeForm
        label="Code from the e-mail"
        hint="Check your spam folder. Expires in 10 minutes."
        status={pending ? 'pending' : 'awaiting'}
        code={code}
        onChange={setCode}
        onSubmit={(digits) => void submit(digits)}
        error={error}
        focus={focus}
        {...form}
      />
      <div className="buttons">
        <SecondaryButton busy={pending} onClick={() => void resend()}>
          Send a new code
        </SecondaryButton>
        <SecondaryButton busy={pending} onClick={() => goBack('address')}>
          Use another address
        </SecondaryButton>
        {children}
      </div>
    </>
  );
}
