import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field } from '../../components/field.tsx';
import { keepQuery } from '../../lib/page-context.ts';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { useGo } from '../../lib/use-go.ts';
import { defaultLabel } from './default-label.ts';
import { type Organization, readOrganization } from './organization.ts';
import styles from './registration.module.css';
import { useRegistration } from './use-registration.ts';

const TITLE = 'Register passkey';

/** `/register-passkey`: a passkey on this device, for one organization. */
export function RegisterPasskeyPage() {
  const organization = readOrganization(usePageContext(), useUser());
  if ('missing' in organization) {
    return <Card title={TITLE} banner={<Banner text={organization.missing} />} />;
  }
  return <PasskeyForm organization={organization} />;
}

function PasskeyForm({ organization }: { organization: Organization }) {
  const { redirectURL } = usePageContext();
  const { search } = useLocation();
  const go = useGo();
  const [label, setLabel] = useState(() => defaultLabel(navigator.userAgent));
  const { status, error, start } = useRegistration('passkey');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (status !== 'awaiting') return;
    if (await start(organization, label)) go(redirectURL || keepQuery('/', search));
  };

  return (
    <Card title={TITLE} banner={error && <Banner text={error} />}>
      <p>
        Your device makes a key for <strong>{organization.org}</strong> that never leaves it. You approve with
        it from then on.
      </p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <Field
          label="Label"
          hint="So that you know it again, up to 100 characters."
          value={label}
          onChange={(event) => setLabel(event.target.value)}
          required
          maxLength={100}
          autoComplete="off"
        />
        <Button type="submit" busy={status !== 'awaiting'}>
          {status === 'pending' ? 'Waiting for your device' : 'Register passkey'}
        </Button>
      </form>
    </Card>
  );
}
