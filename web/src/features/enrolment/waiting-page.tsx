import { useState } from 'react';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import { pendingOf } from '../../lib/enrolment.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { readOwnPending, saveOwnPending } from '../../lib/own-pending.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useLiveEnrolment } from '../../lib/use-enrolment.ts';
import { EnrolmentPage } from './enrolment-page.tsx';
import { Existing } from './existing.tsx';
import { Confirmed, NoLongerWaiting } from './no-longer-waiting.tsx';
import { NothingWaits } from './nothing-waits.tsx';
import { OtherPending } from './other-pending.tsx';
import { PendingDevice } from './pending-device.tsx';
import { PendingVouch } from './pending-vouch.tsx';

const TITLE = 'Waiting for a vouch';

/** `/waiting`: what a person does while their authenticator doesn't count. It goes on by itself once it does. */
export const WaitingPage = () => (
  <NamedOrganizationPage title={TITLE}>
    {(organization) => <Waiting key={organization.orgID} organization={organization} />}
  </NamedOrganizationPage>
);

function Waiting({ organization }: { organization: NamedOrganization }) {
  const state = useLiveEnrolment(organization.orgID);
  return (
    <EnrolmentPage title={TITLE} state={state}>
      {(enrolment) => <Own enrolment={enrolment} organization={organization} />}
    </EnrolmentPage>
  );
}

type Props = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

function Own({ enrolment, organization }: Props) {
  const pending = pendingOf(enrolment);
  const { registered, remember } = useOwnPending(organization);
  const [last, setLast] = useState(pending);
  if (pending && pending.id !== last?.id) setLast(pending);

  if (pending && pending.id !== registered && pending.waitsFor === 'device') return <OtherDevice />;
  if (pending && pending.id !== registered) {
    return (
      <OtherPending
        key={pending.id}
        pending={pending}
        isReplaced={registered !== null}
        organization={organization}
        onTouched={() => remember(pending.id)}
      />
    );
  }
  if (pending?.waitsFor === 'device') return <PendingDevice pending={pending} organization={organization} />;
  if (pending) return <PendingVouch pending={pending} enrolment={enrolment} organization={organization} />;
  if (last) return <NoLongerWaiting organization={organization} keyId={last.keyId} />;
  if (enrolment.own.length > 0) return <Existing enrolment={enrolment} organization={organization} />;
  if (enrolment.active > 0) return <Confirmed organization={organization} />;
  return <NothingWaits org={organization.org} />;
}

/** The pending authenticator that this browser registered, or that the person touched here since. */
function useOwnPending({ orgID }: NamedOrganization) {
  const { local } = useClient();
  const whose = { userId: useUser().id, orgID };
  const [registered, setRegistered] = useState(() => readOwnPending(local, whose));
  const remember = (id: string) => {
    saveOwnPending(local, whose, id);
    setRegistered(id);
  };
  return { registered, remember };
}

/** The person's second device registered what waits; this may be the first one. */
const OtherDevice = () => (
  <Card title="Confirm your second device">
    <p>Another device of yours registered. It counts as soon as you confirm it, on a device that counts.</p>
    <InternalLink className={actionLink} to="/add-device">
      Compare the code
    </InternalLink>
  </Card>
);
