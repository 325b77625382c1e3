import type { FormEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { Label } from '../../components/label.tsx';
import { useBack } from '../../lib/use-back.ts';
import styles from './email.module.css';
import type { EmailState } from './use-email.ts';

type Props = {
  state: EmailState;
  /** The address that holds now; empty where there is none. */
  confirmed: string;
};

/** Which address it is to be. The browser's own words for a wrong one are not shown: the server's are. */
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
          'No address is set.'
        )}
      </p>
      <p>
        You get a short message when something about your authenticators or this address changes, and owners
        when their organization needs a look. Nothing else.
      </p>
      <form className={styles.step} noValidate onSubmit={submit}>
        <Field
          label={confirmed ? 'Another e-mail address' : 'E-mail address'}
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          readOnly={pending}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
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
