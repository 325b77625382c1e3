import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { TotpRegistrationAnswer } from '../../../../src/contract/authenticators.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { CodeForm } from '../../components/code-form.tsx';
import { ActionLink, SecondaryButton } from '../../components/controls.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import type { Poster } from '../../lib/api/api-client.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { useCopy } from '../../lib/react/use-copy.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { createTotpSecret, groupByFour } from './totp-secret.ts';
import { useRegistration } from './use-registration.ts';
import { useWizard } from './use-wizard.ts';
import type { Proofs } from './wizard.ts';
import { WizardCard } from './wizard-card.tsx';

const TITLE = `Register ${authenticatorKinds.totp.noun}`;

/** `/register-totp`: registers an authenticator app for one organization. */
export const RegisterTotpPage = () => (
  <NamedOrganizationPage title={TITLE}>
    {(organization) => <TotpForm organization={organization} />}
  </NamedOrganizationPage>
);

function TotpForm({ organization }: { organization: NamedOrganization }) {
  const { api, session } = useClient();
  const { username } = useUser();
  // The secret is kept in memory only, so a reload creates another one.
  const [{ secret, uri, isValid }] = useState(() => createTotpSecret(username, organization.org));
  const [code, setCode] = useState('');
  const wizard = useWizard(organization);
  const { status, error, register } = useRegistration(wizard, (totpValue: string, proofs) =>
    registerTotp(
      { api, accessToken: session.accessToken },
      { ...organization, totpValue, totpSecret: secret },
      proofs,
    ),
  );

  if (wizard.ownAuthenticators?.totp) return <AlreadyRegistered />;
  if (wizard.enrolment?.mode === 'vouched') return <NotFirst />;
  return (
    <WizardCard title={TITLE} organization={organization} wizard={wizard} wide>
      <p>
        Scan this QR code with your authenticator app. The app then shows codes for{' '}
        <strong>{organization.org}</strong>. You'll use it to approve pull requests.
      </p>
      <QrCode text={uri} name="QR code of the secret" />
      <p>
        <a href={uri}>Open in an app on this device</a>
      </p>
      <SecretText secret={secret} />
      <ActionError text={error} />
      <CodeForm
        label="Code from the app"
        hint="6 digits. Code not working? Scan this QR code again."
        action={TITLE}
        busyAction="Registering"
        status={status}
        code={code}
        onChange={setCode}
        onSubmit={register}
        check={isValid}
      />
    </WizardCard>
  );
}

/** In an organization that asks for vouches, an app can only be added to a passkey or security key. */
const NotFirst = () => (
  <Card title={TITLE}>
    <p>Register a passkey or security key first. You can add an authenticator app after that.</p>
    <ActionLink to="/register">Choose another kind</ActionLink>
  </Card>
);

/** A person can have only one authenticator app in an organization. */
const AlreadyRegistered = () => (
  <Card title={TITLE} banner="You already have an authenticator app here. Delete it to register another.">
    <ActionLink to="/authenticators">My Authenticators</ActionLink>
  </Card>
);

/** The secret as text, for people who can't scan the QR code. */
function SecretText({ secret }: { secret: string }) {
  const { message, copy } = useCopy(secret);
  return (
    <div className="stack gap-1">
      <div className="between">
        <p>Or enter this secret</p>
        <SecondaryButton onClick={copy}>
          Copy<span className="visually-hidden"> the secret</span>
        </SecondaryButton>
      </div>
      <code>{groupByFour(secret)}</code>
      <p className="muted" role="status">
        {message}
      </p>
    </div>
  );
}

type Deps = { api: Poster; accessToken: () => string };
type Input = NamedOrganization & { totpValue: string; totpSecret: string };

/**
 * Registers an authenticator app's secret; the code proves that the app has it. Rejects with an `ApiError`; nothing is
 * registered then.
 */
const registerTotp = (
  { api, accessToken }: Deps,
  input: Input,
  proofs: Proofs,
): Promise<TotpRegistrationAnswer> =>
  api.post('/github-register-totp', {
    ...input,
    ...proofs,
    accessToken: accessToken(),
  });
