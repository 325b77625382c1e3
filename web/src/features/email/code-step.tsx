import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeForm } from '../../components/code-form.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import type { Confirmation } from '../../lib/email-confirmation.ts';
import { useBack } from '../../lib/use-back.ts';
import styles from './email.module.css';
import type { EmailState } from './use-email.ts';

type Props = { state: EmailState; confirmation: Confirmation };

/** Asks for the code from the e-mail, and offers what to do if it doesn't arrive. */
export function CodeStep({ state, confirmation: { email } }: Props) {
  const { pending, lockedUntil, request, confirm, discard } = state;
  const back = useBack();
  const [code, setCode] = useState('');
  const [focus, setFocus] = useState(1);

  const startOver = () => {
    setCode('');
    setFocus((count) => count + 1);
  };
  const submit = async (digits: string) => {
    if (await confirm(digits)) startOver();
  };
  const resend = async () => {
    if (!(await request())) startOver();
  };

  return (
    <>
      <SecurityImages />
      <p>
        We sent a 6-digit code to{' '}
        <strong>
          <Label text={email} inline />
        </strong>
        .
      </p>
      <CodeForm
        label="Code from the e-mail"
        hint="Check your spam folder. Expires in 10 minutes."
        action="Submit Code"
        busyAction="Processing"
        busy={pending}
        code={code}
        onChange={setCode}
        onSubmit={(digits) => void submit(digits)}
        lockedUntil={lockedUntil}
        focus={focus}
      />
      <div className={styles.alternatives}>
        <Button look="secondary" busy={pending} onClick={() => void resend()}>
          Send a new code
        </Button>
        <Button look="secondary" busy={pending} onClick={discard}>
          Use another address
        </Button>
        <Button
          look="secondary"
          onClick={() => {
            discard();
            back();
          }}
        >
          Cancel
        </Button>
      </div>
    </>
  );
}
