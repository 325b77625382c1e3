import { type FormEvent, type ReactNode, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { WebauthnType } from '../../../../src/contract/authenticators.ts';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { ActionLink, Button } from '../../components/controls.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import { Label } from '../../components/text.tsx';
import { collectPath, keepQuery } from '../../lib/address/page-context.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { useTabState } from '../../lib/react/use-tab-state.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { hasWebauthn } from '../../lib/signing/abilities.ts';
import { pendingOf } from '../../lib/signing/enrolment.ts';
import { chosenLabel, defaultLabel, LabelChoice } from './label-choice.tsx';
import { PhoneSteps } from './phone-steps.tsx';
import { registerWebauthn } from './register-webauthn.ts';
import { useRegistration } from './use-registration.ts';
import { useWizard } from './use-wizard.ts';
import { WizardCard } from './wizard-card.tsx';

type WebauthnKind = {
  type: WebauthnType;
  /** Where the passkey is going to be, if it isn't this device. */
  device?: 'phone';
  /** The name on the page and the button. */
  noun: string;
  initialLabel: () => string;
  instructions: (org: ReactNode) => ReactNode;
  waiting: string;
};

const PASSKEY: WebauthnKind = {
  type: 'passkey',
  noun: authenticatorKinds.passkey.noun,
  initialLabel: () => defaultLabel(navigator.userAgent),
  instructions: (org) => (
    <>Your device creates a passkey for {org}. You'll use it to approve pull requests.</>
  ),
  waiting: 'Waiting for your device',
};

const PHONE: WebauthnKind = {
  type: 'passkey',
  device: 'phone',
  noun: 'phone',
  initialLabel: () => 'Phone',
  instructions: (org) => <PhoneSteps org={org} />,
  waiting: 'Waiting for your phone',
};

const SECURITY_KEY: WebauthnKind = {
  type: 'security-key',
  noun: authenticatorKinds['security-key'].noun,
  initialLabel: () => authenticatorKinds['security-key'].title,
  instructions: (org) => (
    <>
      Have your security key ready; your browser asks for it next. It creates a key for {org}. You'll use it
      to approve pull requests.
    </>
  ),
  waiting: 'Waiting for your security key',
};

/** Registers a passkey on this device, as the page for a person who has no authenticator in the organization yet. */
export const FirstPasskey = (props: Required<Omit<FormProps, 'kind'>>) => (
  <WebauthnForm kind={PASSKEY} {...props} />
);

/** `/register-passkey`: registers a passkey on this device for one organization. */
export const RegisterPasskeyPage = () => <RegisterWebauthnPage kind={PASSKEY} />;

/** `/register-phone`: registers a passkey on a phone, which scans a code of this browser. */
export const RegisterPhonePage = () => <RegisterWebauthnPage kind={PHONE} />;

/** `/register-security-key`: registers a security key for one organization. */
export const RegisterSecurityKeyPage = () => <RegisterWebauthnPage kind={SECURITY_KEY} />;

const titleOf = ({ noun }: WebauthnKind) => `Register ${noun}`;

const RegisterWebauthnPage = ({ kind }: { kind: WebauthnKind }) => (
  <NamedOrganizationPage title={titleOf(kind)}>
    {(organization) => <WebauthnForm kind={kind} organization={organization} />}
  </NamedOrganizationPage>
);

type FormProps = {
  kind: WebauthnKind;
  organization: NamedOrganization;
  /** The content below the form if this is the person's first authenticator. */
  below?: (enrolment: EnrolmentAnswer | null) => ReactNode;
};

function WebauthnForm({ kind, organization, below }: FormProps) {
  const { api, session } = useClient();
  const { type, device, initialLabel, instructions, waiting } = kind;
  const [draft, setDraft] = useTabState<string>(
    `label:${useUser().id}:${organization.orgID}:${device ?? type}`,
  );
  const [initial] = useState(initialLabel);
  const wizard = useWizard(organization);
  const { status, error, register } = useRegistration(
    wizard,
    (label: string, proofs, create) =>
      registerWebauthn({ api, session, create }, { ...organization, type, label, device }, proofs),
    () => setDraft(null),
  );
  const isSigning = status === 'signing' || wizard.stepUp.status === 'signing';
  const { search } = useLocation();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    register(chosenLabel({ draft, initial }));
  };

  if (!hasWebauthn()) return <NotSupported title={titleOf(kind)} />;
  if (below && isWaiting(wizard.enrolment)) return <Navigate to={keepQuery('/waiting', search)} replace />;
  return (
    <WizardCard title={titleOf(kind)} organization={organization} wizard={wizard}>
      {below ? (
        <FirstTime {...organization} isDirect={wizard.enrolment?.mode === 'open'} />
      ) : (
        <div>{instructions(<strong>{organization.org}</strong>)}</div>
      )}
      <form className="stack" onSubmit={submit}>
        <ActionError text={error} />
        <Button type="submit" busy={status !== 'awaiting'}>
          {isSigning ? waiting : status === 'pending' ? 'Registering' : titleOf(kind)}
        </Button>
        <LabelChoice draft={draft} initial={initial} onChange={setDraft} />
      </form>
      {below?.(wizard.enrolment)}
    </WizardCard>
  );
}

/** Says what a newcomer's device asks for, and what for. `isDirect`: nothing else comes between this and the approval. */
function FirstTime({ org, isDirect }: { org: string; isDirect: boolean }) {
  const context = usePageContext();
  const { repo, pr, redirectURL } = context;
  const isForPull = pr !== '' && redirectURL.startsWith(collectPath(context));
  const subject = <Label text={isForPull ? `${org}/${repo} #${pr}` : org} strong />;
  return (
    <>
      {isForPull && isDirect && <p className="quiet">Step 1 of 2</p>}
      <p>
        {isForPull ? (
          <>Before you approve {subject}, set up a passkey.</>
        ) : (
          <>Set up a passkey for {subject}. You'll use it to approve pull requests.</>
        )}{' '}
        It takes a few seconds: your device asks for your fingerprint, face or PIN.
      </p>
    </>
  );
}

/** Tells whether the person has registered already, and only waits. */
const isWaiting = (enrolment: EnrolmentAnswer | null) =>
  enrolment !== null && enrolment.active === 0 && pendingOf(enrolment) !== null;

const NotSupported = ({ title }: { title: string }) => (
  <Card title={title} banner={'WebAuthn is not supported in this browser\nOpen this page in another one.'}>
    <ActionLink to="/register" query={EVERY_KIND}>
      Other options
    </ActionLink>
  </Card>
);

/** The query parameter with which `/register` shows every kind, to a person without an authenticator too. */
export const EVERY_KIND = { options: 'all' };
