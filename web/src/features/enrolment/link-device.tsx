import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { Button } from '../../components/controls.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { StepUp } from '../../components/step-up.tsx';
import { Steps } from '../../components/steps.tsx';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { useSecondsLeft } from '../../lib/react/use-seconds-left.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { useProvenAction } from '../../lib/signing/use-proven-action.ts';
import styles from './enrolment.module.css';

/** The steps on the first device. */
export const DEVICE_STEPS = ['Authenticate', 'Scan', 'Confirm'] as const;

/** Asks for a proof, then shows the link for the other device, as a QR code and as text. */
export function LinkDevice({ title, organization }: { title: string; organization: NamedOrganization }) {
  const { org, orgID } = organization;
  const { api, session, now } = useClient();
  const [link, setLink] = useState<DeviceLink | null>(null);
  const action = { type: 'register-authenticator', org, orgID } as const;
  const { pending, form } = useProvenAction(action, async ({ stepUp }) => {
    const until = now() + LIFE_MS;
    const body = { org, orgID, stepUp, accessToken: session.accessToken() };
    const { url } = await api.post('/device-link', body);
    setLink({ url, until });
  });
  const [authenticate, scan] = DEVICE_STEPS;
  const step = link ? scan : authenticate;
  const panel = useStepFocus<HTMLDivElement>(step);
  return (
    <Card title={title} busy={pending}>
      <Steps steps={[...DEVICE_STEPS]} current={step} />
      <div ref={panel} className="stack" tabIndex={-1}>
        {link ? (
          <OpenLink link={link} org={org} onExpired={() => setLink(null)} />
        ) : (
          <StepUp {...form}>
            This makes a link with which you register your phone or another computer. Before that, confirm
            that it's you.
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
      <p className="muted">
        The link works once, only for you, and for another{' '}
        <span className={styles.countdown}>{minutesAndSeconds(secondsLeft)}</span>.
      </p>
    </>
  );
}

/** Such as `9:05`. */
const minutesAndSeconds = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** The server's. Measured by this device, because its clock may differ from the one behind `expires`. */
const LIFE_MS = 10 * 60_000;

/** `until` is when the link expires, in milliseconds since 1970 by this device's clock. */
type DeviceLink = { url: string; until: number };
