import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { ActionLink, InternalLink, SignButton } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Steps } from '../../components/steps.tsx';
import { Label } from '../../components/text.tsx';
import { useUser } from '../../lib/react/use-client.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import { authenticatorsOf, type NamedOrganization } from '../../lib/session/user.ts';
import { useVouch } from '../../lib/signing/use-vouch.ts';
import { EnrolmentPage } from './enrolment-page.tsx';
import { DEVICE_STEPS, LinkDevice } from './link-device.tsx';

const TITLE = 'Add a second device';

/** `/add-device`: lets another device of the person register, and confirms what it registered. */
export const AddDevicePage = () => (
  <EnrolmentPage title={TITLE} isLive>
    {(enrolment, organization) => <AddDevice enrolment={enrolment} organization={organization} />}
  </EnrolmentPage>
);

type Props = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

function AddDevice({ enrolment: { own }, organization }: Props) {
  const { webauthn } = authenticatorsOf(useUser(), organization.orgID);
  const waiting = own.find(({ waitsFor }) => waitsFor === 'device') ?? null;
  // Kept on the screen after it's confirmed. A new registration of the other device takes its place.
  const [shown, setShown] = useState<WaitingAuthenticator | null>(waiting);
  if (waiting && waiting.id !== shown?.id) setShown(waiting);
  // The first device confirms with a passkey or security key.
  if (webauthn.length === 0) return <NeedsKey {...organization} />;
  if (!shown) return <LinkDevice title={TITLE} organization={organization} />;
  return <ConfirmDevice key={shown.id} waiting={shown} isGone={!waiting} organization={organization} />;
}

const NeedsKey = ({ org }: NamedOrganization) => (
  <Card title={TITLE}>
    <p>
      You confirm another device with a passkey or security key, and you don't have one in{' '}
      <strong>{org}</strong>. Register one on this device first.
    </p>
    <ActionLink to="/register">Register one</ActionLink>
  </Card>
);

type ConfirmDeviceProps = {
  waiting: WaitingAuthenticator;
  /** It was confirmed or removed since it's on the screen. */
  isGone: boolean;
  organization: NamedOrganization;
};

/** On the first device: what the other one registered, the code that it shows too, and the touch that confirms it. */
function ConfirmDevice({ waiting, isGone, organization }: ConfirmDeviceProps) {
  const { status, error, sign } = useVouch({ ...organization, waiting });
  const { type, label, comparison, id } = waiting;
  const noun = authenticatorKinds[type].noun;
  const isOver = status === 'complete' || (isGone && status === 'awaiting');
  const panel = useStepFocus<HTMLDivElement>(isOver ? 'over' : 'confirm');
  return (
    <Card title={TITLE}>
      {!isOver && <Steps steps={[...DEVICE_STEPS]} current="Confirm" />}
      <div ref={panel} className="stack" tabIndex={-1}>
        {isOver ? (
          <>
            <p className="marked success" role="status">
              {status === 'complete' && <Icon path={checkIcon} />}
              <span>
                {status === 'complete'
                  ? `Your other device is ready: its ${noun} counts in ${organization.org} now.`
                  : 'This authenticator no longer waits. It was confirmed or deleted in the meantime.'}
              </span>
            </p>
            <ActionLink to="/authenticators">My Authenticators</ActionLink>
          </>
        ) : (
          <>
            <SecurityImages />
            <p>
              Your other device registered the {noun} <Label text={label} strong />. Does it show this code?
            </p>
            <Comparison code={comparison}>The code on both devices</Comparison>
            <ActionError text={error} />
            <SignButton
              status={status}
              action="The code is the same: confirm"
              busyAction="Confirming"
              onClick={() => sign()}
            />
            <p className="muted">
              It shows another code, or you didn't register anything?{' '}
              <InternalLink to={`/authenticator/${type}/${id}`}>Delete this {noun}</InternalLink>
            </p>
          </>
        )}
      </div>
    </Card>
  );
}
