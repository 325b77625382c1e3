import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { MailedCode } from '../../components/mailed-code.tsx';
import type { Confirmation } from '../../lib/email-confirmation.ts';
import { useBack } from '../../lib/use-back.ts';
import styles from './email.module.css';
import type { EmailState } from './use-email.ts';

type Props = { state: EmailState; confirmation: Confirmation };

/** Asks for the code from the e-mail, and offers what to do if it doesn't arrive. */
export function CodeStep({ state, confirmation: { email } }: Props) {
  const { pending, codeError, lockedUntil, request, confirm, discard } = state;
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
      <MailedCode
        address={email}
        action="Submit Code"
        busyAction="Processing"
        busy={pending}
        code={code}
        onChange={setCode}
        onSubmit={(digits) => void submit(digits)}
        error={codeError}
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
