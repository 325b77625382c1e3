import { useState } from 'react';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useUser } from '../../lib/use-client.ts';
import { useLiveEnrolment } from '../../lib/use-enrolment.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { ConfirmDevice } from './confirm-device.tsx';
import { EnrolmentPage } from './enrolment-page.tsx';
import { LinkDevice } from './link-device.tsx';

const TITLE = 'Add a second device';

/** `/add-device`: lets another device of the person register, and confirms what it registered. */
export const AddDevicePage = () => (
  <NamedOrganizationPage title={TITLE}>
    {(organization) => <WithKey key={organization.orgID} organization={organization} />}
  </NamedOrganizationPage>
);

/** The first device confirms with a passkey or security key. */
function WithKey({ organization }: { organization: NamedOrganization }) {
  const { webauthn } = authenticatorsOf(useUser(), organization.orgID);
  return webauthn.length > 0 ? <Loading organization={organization} /> : <NeedsKey {...organization} />;
}

function Loading({ organization }: { organization: NamedOrganization }) {
  const state = useLiveEnrolment(organization.orgID);
  return (
    <EnrolmentPage title={TITLE} state={state}>
      {(enrolment) => <AddDevice enrolment={enrolment} organization={organization} />}
    </EnrolmentPage>
  );
}

type Props = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

function AddDevice({ enrolment: { own }, organization }: Props) {
  const waiting = own.find(({ waitsFor }) => waitsFor === 'device') ?? null;
  // Kept on the screen after it's confirmed. A new registration of the other device takes its place.
  const [shown, setShown] = useState<WaitingAuthenticator | null>(waiting);
  if (waiting && waiting.id !== shown?.id) setShown(waiting);
  if (!shown) return <LinkDevice title={TITLE} organization={organization} />;
  return (
    <ConfirmDevice
      key={shown.id}
      title={TITLE}
      waiting={shown}
      isGone={!waiting}
      organization={organization}
    />
  );
}

const NeedsKey = ({ org }: NamedOrganization) => (
  <Card title={TITLE}>
    <p>
      You confirm another device with a passkey or security key, and you don't have one in{' '}
      <strong>{org}</strong>. Register one on this device first.
    </p>
    <InternalLink className={actionLink} to="/register">
      Register one
    </InternalLink>
  </Card>
);
