import type { FormEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { EmailField } from '../../components/email-field.tsx';
import { Label } from '../../components/label.tsx';
import { useBack } from '../../lib/use-back.ts';
import styles from './email.module.css';
import type { EmailState } from './use-email.ts';

type Props = {
  state: EmailState;
  /** The confirmed address; empty if there is none. */
  confirmed: string;
};

/** Asks for an address. The browser's validation is off because the server's sentences say more. */
export function AddressStep({ state, confirmed }: Props) {
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
