import type { FormEvent, ReactNode } from 'react';
import type { WebauthnType } from '../../../../src/contract/authenticators.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { useClient, useUser } from '../../lib/use-client.ts';
import { defaultLabel } from './default-label.ts';
import type { Organization } from './organization.ts';
import { OrganizationPage } from './organization-page.tsx';
import { registerWebauthn } from './register.ts';
import styles from './registration.module.css';
import { useAfterRegistration } from './use-after.ts';
import { useDraft } from './use-draft.ts';
import { useRegistration } from './use-registration.ts';
import { useWizard } from './use-wizard.ts';
import { WizardCard } from './wizard-card.tsx';

type Kind = {
  type: WebauthnType;
  title: string;
  label: () => string;
  text: (org: ReactNode) => ReactNode;
  waiting: string;
};

const PASSKEY: Kind = {
  type: 'passkey',
  title: 'Register passkey',
  label: () => defaultLabel(navigator.userAgent),
  text: (org) => (
    <>Your device makes a key for {org} that never leaves it. You approve with it from then on.</>
  ),
  waiting: 'Waiting for your device',
};

const SECURITY_KEY: Kind = {
  type: 'security-key',
  title: 'Register security key',
  label: () => 'Security key',
  text: (org) => (
    <>Plug your security key in, or have it at hand. It makes a key for {org}, and you approve with it.</>
  ),
  waiting: 'Waiting for your security key',
};

/** `/register-passkey`: a passkey on this device, for one organization. */
export const RegisterPasskeyPage = () => (
  <OrganizationPage title={PASSKEY.title}>
    {(organization) => <WebauthnForm kind={PASSKEY} organization={organization} />}
  </OrganizationPage>
);

/** `/register-security-key`: a key that goes from device to device, for one organization. */
export const RegisterSecurityKeyPage = () => (
  <OrganizationPage title={SECURITY_KEY.title}>
    {(organization) => <WebauthnForm kind={SECURITY_KEY} organization={organization} />}
  </OrganizationPage>
);

function WebauthnForm({ kind, organization }: { kind: Kind; organization: Organization }) {
  const { api, session } = useClient();
  const { type } = kind;
  const draft = useDraft(`label:${useUser().id}:${organization.orgID}:${type}`, kind.label());
  const wizard = useWizard(organization);
  const { status, error, start } = useRegistration(wizard, (label: string, stepUp) =>
    registerWebauthn({ api, accessToken: session.accessToken }, { ...organization, type, label }, stepUp),
  );
  const goOn = useAfterRegistration();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (status !== 'awaiting' || !(await start(draft.text))) return;
    draft.done();
    goOn();
  };

  return (
    <WizardCard title={kind.title} organization={organization} wizard={wizard} error={error}>
      <p>{kind.text(<strong>{organization.org}</strong>)}</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <Field
          label="Label"
          hint="So that you know it again, up to 100 characters."
          value={draft.text}
          onChange={(event) => draft.change(event.target.value)}
          required
          maxLength={100}
          autoComplete="off"
        />
        <Button type="submit" busy={status !== 'awaiting'}>
          {status === 'pending' ? kind.waiting : kind.title}
        </Button>
      </form>
    </WizardCard>
  );
}
