import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { StepUp } from '../../components/step-up.tsx';
import { Timeline } from '../../components/timeline.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useUser } from '../../lib/use-client.ts';
import { useSecondsLeft } from '../../lib/use-seconds-left.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { DEVICE_STEPS } from './device-steps.ts';
import styles from './enrolment.module.css';
import { type DeviceLink, useDeviceLink } from './use-device-link.ts';

type Props = { title: string; organization: NamedOrganization };

/** Asks for a proof, then shows the link for the other device, as a QR code and as text. */
export function LinkDevice({ title, organization }: Props) {
  const { link, pending, error, stepUp, make, discard } = useDeviceLink(organization);
  const ownAuthenticators = authenticatorsOf(useUser(), organization.orgID);
  const [authenticate, scan] = DEVICE_STEPS;
  const step = link ? scan : authenticate;
  const panel = useStepFocus<HTMLDivElement>(step);
  return (
    <Card title={title} busy={pending} banner={error && <Banner text={error} />}>
      <Timeline steps={[...DEVICE_STEPS]} current={step} />
      <div ref={panel} className={styles.panel} tabIndex={-1}>
        {link ? (
          <OpenLink link={link} org={organization.org} onExpired={discard} />
        ) : (
          <StepUp stepUp={stepUp} ownAuthenticators={ownAuthenticators} onProof={make}>
            You can register your phone or another computer without carrying this device to it. Before that,
            confirm that it's you.
          </StepUp>
        )}
      </div>
    </Card>
  );
}

function OpenLink({ link, org, onExpired }: { link: DeviceLink; org: string; onExpired: () => void }) {
  const { username } = useUser();
  const secondsLeft = useSecondsLeft(link.until);
  if (secondsLeft === 0) {
    return (
      <>
        <p role="status">This link has expired.</p>
        <Button onClick={onExpired}>Make a new link</Button>
      </>
    );
  }
  return (
    <>
      <p>
        Scan this with your other device, sign in there as <strong>{username}</strong>, and register it for{' '}
        <strong>{org}</strong>. Keep this page open: you confirm here afterwards.
      </p>
      <QrCode text={link.url} name="QR code of the link for your other device" />
      <p>Or open this link there:</p>
      <CopyLink url={link.url} />
      <p className={styles.quiet}>
        The link works once, only for you, and for another{' '}
        <span className={styles.countdown}>{minutesAndSeconds(secondsLeft)}</span>.
      </p>
    </>
  );
}

/** Such as `9:05`. */
const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
