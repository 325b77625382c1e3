import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { ActionLink, InternalLink } from '../../components/controls.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { Label } from '../../components/text.tsx';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { pendingOf, voucherText } from '../../lib/signing/enrolment.ts';
import { readOwnPending, saveOwnPending } from '../../lib/signing/own-pending.ts';
import { OtherPending, VouchByDate } from './after-touch.tsx';
import styles from './enrolment.module.css';
import { EnrolmentPage } from './enrolment-page.tsx';
import { Confirmed, NoLongerWaiting, NothingWaits } from './no-longer-waiting.tsx';

const TITLE = 'Waiting for a vouch';

/** `/waiting`: what a person does while their authenticator doesn't count. The page continues once it does. */
export const WaitingPage = () => (
  <EnrolmentPage title={TITLE} isLive>
    {(enrolment, organization) => <Own enrolment={enrolment} organization={organization} />}
  </EnrolmentPage>
);

function Own({ enrolment, organization }: { enrolment: EnrolmentAnswer; organization: NamedOrganization }) {
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
  if (enrolment.own.length > 0) return <VouchByDate enrolment={enrolment} organization={organization} />;
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
    <ActionLink to="/add-device">Compare the code</ActionLink>
  </Card>
);

type PendingDeviceProps = { pending: WaitingAuthenticator; organization: NamedOrganization };

/** On the new device: the code that the first device shows too. */
const PendingDevice = ({
  pending: { type, label, comparison },
  organization: { org },
}: PendingDeviceProps) => (
  <Card title="Confirm on your other device">
    <p>
      The {authenticatorKinds[type].noun} <Label text={label} strong /> is registered for{' '}
      <strong>{org}</strong>. It counts as soon as you confirm it on your other device.
    </p>
    <Comparison code={comparison}>The code on both devices</Comparison>
    <p>Compare it with the code on your other device, and confirm there. This page then continues.</p>
  </Card>
);

type PendingVouchProps = {
  pending: WaitingAuthenticator;
  enrolment: EnrolmentAnswer;
  organization: NamedOrganization;
};

/** The code to compare, whom to ask, and the link to send them. */
function PendingVouch({ pending, enrolment, organization: { org } }: PendingVouchProps) {
  const { config } = useClient();
  const { type, label, comparison, page } = pending;
  return (
    <Card title="Waiting for a vouch">
      <p>
        Your {authenticatorKinds[type].noun} <Label text={label} strong /> is registered. It counts as soon as{' '}
        {voucherText(enrolment, org)} vouches that it's yours.
      </p>
      <Comparison code={comparison}>Your code</Comparison>
      <ol className={`stack gap-3 ${styles.steps}`}>
        <li>
          Send this link to {voucherText(enrolment, org)}:
          <CopyLink url={config.origin + page} />
        </li>
        <li>Call them, or meet them. They ask for your code, and compare it with the one on their screen.</li>
        <li>They vouch for it, and this page continues. You can also close it and come back later.</li>
      </ol>
      <p className="muted">
        Registered the wrong one? <InternalLink to="/register-passkey">Register another passkey</InternalLink>{' '}
        or <InternalLink to="/register-security-key">security key</InternalLink>. It replaces this one, with a
        new code and link.
      </p>
    </Card>
  );
}
