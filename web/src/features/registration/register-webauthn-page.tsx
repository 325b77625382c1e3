import type { FormEvent, ReactNode } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { WebauthnType } from '../../../../src/contract/authenticators.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';
import { defaultLabel } from './default-label.ts';
import { registerWebauthn } from './register-webauthn.ts';
import styles from './registration.module.css';
import { useLeaveRegistration } from './use-leave-registration.ts';
import { useRegistration } from './use-registration.ts';
import { useWizard } from './use-wizard.ts';
import { WizardCard } from './wizard-card.tsx';

type WebauthnKind = {
  type: WebauthnType;
  initialLabel: () => string;
  instructions: (org: ReactNode) => ReactNode;
  waiting: string;
};

const PASSKEY: WebauthnKind = {
  type: 'passkey',
  initialLabel: () => defaultLabel(navigator.userAgent),
  instructions: (org) => (
    <>Your device creates a passkey for {org}. You'll use it to approve pull requests.</>
  ),
  waiting: 'Waiting for your device',
};

const SECURITY_KEY: WebauthnKind = {
  type: 'security-key',
  initialLabel: () => authenticatorKinds['security-key'].title,
  instructions: (org) => (
    <>
      Have your security key ready; your browser asks for it next. It creates a key for {org}. You'll use it
      to approve pull requests.
    </>
  ),
  waiting: 'Waiting for your security key',
};

/** `/register-passkey`: registers a passkey on this device for one organization. */
export const RegisterPasskeyPage = () => <RegisterWebauthnPage kind={PASSKEY} />;

/** `/register-security-key`: registers a security key for one organization. */
export const RegisterSecurityKeyPage = () => <RegisterWebauthnPage kind={SECURITY_KEY} />;

const titleOf = ({ type }: WebauthnKind) => `Register ${authenticatorKinds[type].noun}`;

const RegisterWebauthnPage = ({ kind }: { kind: WebauthnKind }) => (
  <NamedOrganizationPage title={titleOf(kind)}>
    {(organization) => <WebauthnForm kind={kind} organization={organization} />}
  </NamedOrganizationPage>
);

function WebauthnForm({ kind, organization }: { kind: WebauthnKind; organization: NamedOrganization }) {
  const { api, session } = useClient();
  const { type, initialLabel, instructions, waiting } = kind;
  const [draft, setDraft] = useTabState(`label:${useUser().id}:${organization.orgID}:${type}`, readDraft);
  const label = draft ?? initialLabel();
  const wizard = useWizard(organization);
  const { status, error, register } = useRegistration(wizard, (label: string, proofs) =>
    registerWebauthn({ api, accessToken: session.accessToken }, { ...organization, type, label }, proofs),
  );
  const leave = useLeaveRegistration();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (status !== 'awaiting') return;
    const answer = await register(label);
    if (!answer) return;
    setDraft(null);
    leave(answer);
  };

  return (
    <WizardCard title={titleOf(kind)} organization={organization} wizard={wizard} error={error}>
      <p>{instructions(<strong>{organization.org}</strong>)}</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <Field
          label="Label"
          hint="A name you'll recognize."
          value={label}
          onChange={(event) => setDraft(event.target.value)}
          required
          maxLength={100}
          autoComplete="off"
        />
        <Button type="submit" busy={status !== 'awaiting'}>
          {status === 'pending' ? waiting : titleOf(kind)}
        </Button>
      </form>
    </WizardCard>
  );
}

const readDraft = (stored: unknown) => (typeof stored === 'string' ? stored : null);
