import { type FormEvent, useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { WebauthnType } from '../../../../src/contract/authenticators.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { Button, SecondaryButton } from '../../components/controls.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { type DeviceLink, useDeviceLink } from './device-link.ts';
import { chosenLabel, defaultLabel, LabelChoice } from './label-choice.tsx';
import { registerWebauthn } from './register-webauthn.ts';
import { useRegistration } from './use-registration.ts';

const TITLE = 'Register this device';

/** `/second-device`: registers the device that opened a device link. It counts once the first device confirms it. */
export const SecondDevicePage = () => (
  <NamedOrganizationPage title={TITLE}>
    {(organization) => <WithLink key={organization.orgID} organization={organization} />}
  </NamedOrganizationPage>
);

function WithLink({ organization }: { organization: NamedOrganization }) {
  const { link, forget } = useDeviceLink();
  if (link?.orgID !== organization.orgID) {
    return (
      <Card
        title={TITLE}
        banner={'This link was used already, or is incomplete.\nMake a new one on your other device.'}
      />
    );
  }
  return <DeviceForm organization={organization} link={link} onUsed={forget} />;
}

type Props = { organization: NamedOrganization; link: DeviceLink; onUsed: () => void };

function DeviceForm({ organization, link, onUsed }: Props) {
  const { username } = useUser();
  const [initial] = useState(() => defaultLabel(navigator.userAgent));
  const [draft, setDraft] = useState<string | null>(null);
  const { status, error, register } = useDeviceRegistration(organization, link, onUsed);
  const isBusy = status !== 'awaiting';

  const submit = (type: WebauthnType) => register({ label: chosenLabel({ draft, initial }), type });
  const submitPasskey = (event: FormEvent) => {
    event.preventDefault();
    submit('passkey');
  };

  return (
    <Card title={TITLE}>
      <SecurityImages />
      <p>
        Register a passkey on this device to approve pull requests in <strong>{organization.org}</strong>,
        too. The link works only if you, <strong>{username}</strong>, made it on another device. You then
        compare a code on both.
      </p>
      <form className="stack" onSubmit={submitPasskey}>
        <LabelChoice draft={draft} initial={initial} onChange={setDraft} />
        <ActionError text={error} />
        <Button type="submit" busy={isBusy}>
          {status === 'signing'
            ? 'Waiting for your device'
            : isBusy
              ? 'Registering'
              : `Register ${authenticatorKinds.passkey.noun}`}
        </Button>
        <SecondaryButton busy={isBusy} onClick={() => submit('security-key')}>
          Register a security key instead
        </SecondaryButton>
      </form>
    </Card>
  );
}

function useDeviceRegistration(organization: NamedOrganization, { secret }: DeviceLink, onUsed: () => void) {
  const { api, session } = useClient();
  const proofs = { prove: async () => ({ deviceLink: secret }), handleRefusal: async () => false };
  return useRegistration(
    proofs,
    (input: { label: string; type: WebauthnType }, sent, create) =>
      registerWebauthn({ api, session, create }, { ...organization, ...input }, sent),
    onUsed,
  );
}
