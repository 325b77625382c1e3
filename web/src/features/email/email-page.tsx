import { type FormEvent, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmailField } from '../../components/email-field.tsx';
import { Label } from '../../components/label.tsx';
import { MailedCode } from '../../components/mailed-code.tsx';
import type { Confirmation } from '../../lib/email-confirmation.ts';
import { useBack } from '../../lib/use-back.ts';
import { useUser } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import styles from './email.module.css';
import { NoticeChoice } from './notice-choice.tsx';
import { type EmailState, useEmail } from './use-email.ts';

/** `/email`: the person's e-mail address, confirmed with a code, and which messages go there. */
export function EmailPage() {
  const { email } = useUser();
  const state = useEmail();
  const panel = useStepFocus<HTMLDivElement>(state.confirmation ? 'confirming' : 'awaiting');
  return (
    <Card title="E-mail" banner={state.error && <Banner text={state.error} />}>
      <div ref={panel} className={styles.step} tabIndex={-1}>
        {state.confirmation ? (
          <CodeStep state={state} confirmation={state.confirmation} />
        ) : (
          <AddressStep state={state} confirmed={email} />
        )}
      </div>
      <p role="status">{state.info}</p>
      {/* A confirmed address changes what it says. */}
      {!state.confirmation && <NoticeChoice key={email} />}
    </Card>
  );
}

type Props = {
  state: EmailState;
  /** The confirmed address; empty if there is none. */
  confirmed: string;
};

/** Asks for an address. The browser's validation is off because the server's sentences say more. */
function AddressStep({ state, confirmed }: Props) {
  const { pending, address, setAddress, request } = state;
  const back = useBack();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) void request();
  };
  return (
    <>
      <p>
        {confirmed ? (
          <>
            Confirmed: <Label text={confirmed} inline />
          </>
        ) : (
          'No e-mail address yet.'
        )}
      </p>
      <p>
        {confirmed ? 'We e-mail you' : 'Once you confirm one, we e-mail you'} when your authenticators or this
        address change and, if you own an organization, when it needs attention. Nothing else, unless you
        choose so below.
      </p>
      <form className={styles.step} noValidate onSubmit={submit}>
        <EmailField
          label={confirmed ? 'Another e-mail address' : 'E-mail address'}
          pending={pending}
          address={address}
          onChange={setAddress}
        />
        <Button type="submit" busy={pending}>
          {pending ? 'Processing' : 'Set E-Mail'}
        </Button>
        <Button look="secondary" onClick={back}>
          Back
        </Button>
      </form>
    </>
  );
}

type CodeStepProps = { state: EmailState; confirmation: Confirmation };

/** Asks for the code from the e-mail, and offers what to do if it doesn't arrive. */
function CodeStep({ state, confirmation: { email } }: CodeStepProps) {
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
