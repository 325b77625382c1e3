import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeForm } from '../../components/code-form.tsx';
import { KnownImages } from '../../components/known-images.tsx';
import { Label } from '../../components/label.tsx';
import { useBack } from '../../lib/use-back.ts';
import type { Confirmation } from './confirmation.ts';
import styles from './email.module.css';
import type { EmailState } from './use-email.ts';

type Props = { state: EmailState; confirmation: Confirmation };

/** The code from the message; and what to do where it does not come. */
export function CodeStep({ state, confirmation: { email } }: Props) {
  const { pending, lockedUntil, request, confirm, drop } = state;
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
  const again = async () => {
    if (!(await request())) startOver();
  };

  return (
    <>
      <KnownImages />
      <p>
        A code of 6 digits is on its way to{' '}
        <strong>
          <Label text={email} inline />
        </strong>
        . It holds for 10 minutes.
      </p>
      <CodeForm
        label="Code from the message"
        hint="6 digits. Look among unwanted mail, too."
        action="Submit Code"
        busyAction="Processing"
        busy={pending}
        code={code}
        onChange={setCode}
        onSubmit={(digits) => void submit(digits)}
        lockedUntil={lockedUntil}
        focus={focus}
      />
      <div className={styles.others}>
        <Button look="secondary" busy={pending} onClick={() => void again()}>
          Send a new code
        </Button>
        <Button look="secondary" busy={pending} onClick={drop}>
          Use another address
        </Button>
        <Button
          look="secondary"
          onClick={() => {
            drop();
            back();
          }}
        >
          Cancel
        </Button>
      </div>
    </>
  );
}
