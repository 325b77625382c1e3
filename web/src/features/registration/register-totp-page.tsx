import { useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeForm } from '../../components/code-form.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { useClient, useUser } from '../../lib/use-client.ts';
import { createTotp } from './key-uri.ts';
import type { Organization } from './organization.ts';
import { OrganizationPage } from './organization-page.tsx';
import { QrCode } from './qr-code.tsx';
import { registerTotp } from './register.ts';
import { SecretText } from './secret-text.tsx';
import { useAfterRegistration } from './use-after.ts';
import { useRegistration } from './use-registration.ts';
import { useWizard } from './use-wizard.ts';
import { WizardCard } from './wizard-card.tsx';

const TITLE = 'Register one-time code';

/** `/register-totp`: a secret for an app that shows one-time codes, for one organization. */
export const RegisterTotpPage = () => (
  <OrganizationPage title={TITLE}>
    {(organization) => <TotpForm organization={organization} />}
  </OrganizationPage>
);

function TotpForm({ organization }: { organization: Organization }) {
  const { api, session } = useClient();
  const { username } = useUser();
  // Kept nowhere but here: a page that is loaded again begins with another secret.
  const [{ secret, uri, isRight }] = useState(() => createTotp(username, organization.org));
  const [code, setCode] = useState('');
  const wizard = useWizard(organization);
  const { status, error, start } = useRegistration(wizard, (totpValue: string, stepUp) =>
    registerTotp(
      { api, accessToken: session.accessToken },
      { ...organization, totpValue, totpSecret: secret },
      stepUp,
    ),
  );
  const goOn = useAfterRegistration();

  const submit = async (value: string) => {
    if (status === 'awaiting' && (await start(value))) goOn();
  };

  if (wizard.own?.totp) return <OneAlready />;
  return (
    <WizardCard title={TITLE} organization={organization} wizard={wizard} error={error}>
      <p>
        Scan this with an app for one-time codes. It then shows codes for <strong>{organization.org}</strong>.
      </p>
      <QrCode text={uri} name="QR code of the secret" />
      <p>
        <a href={uri}>Open it in an app on this device</a>
      </p>
      <SecretText secret={secret} />
      <CodeForm
        label="Code from the app"
        hint="6 digits. A code that does not fit may be from a picture you scanned before: scan this one."
        action="Register one-time code"
        busyAction="Registering"
        busy={status !== 'awaiting'}
        code={code}
        onChange={setCode}
        onSubmit={(value) => void submit(value)}
        check={isRight}
      />
    </WizardCard>
  );
}

/** A person has one secret in an organization: a new one takes the place that the old one left. */
const OneAlready = () => (
  <Card
    title={TITLE}
    banner={<Banner text="You have a one-time code here already. Delete it first to register a new one." />}
  >
    <KeptLink className={actionLink} to="/authenticators">
      My Authenticators
    </KeptLink>
  </Card>
);
