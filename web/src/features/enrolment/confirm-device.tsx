import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import { InternalLink } from '../../components/internal-link.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Timeline } from '../../components/timeline.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import { useVouch } from '../../lib/use-vouch.ts';
import { DEVICE_STEPS } from './device-steps.ts';
import styles from './enrolment.module.css';

type Props = {
  title: string;
  waiting: WaitingAuthenticator;
  /** It was confirmed or removed since it's on the screen. */
  isGone: boolean;
  organization: NamedOrganization;
};

/** On the first device: what the other one registered, the code that it shows too, and the touch that confirms it. */
export function ConfirmDevice({ title, waiting, isGone, organization }: Props) {
  const { status, error, sign } = useVouch({ ...organization, waiting });
  const { type, label, comparison, id } = waiting;
  const noun = authenticatorKinds[type].noun;
  const isOver = status === 'done' || (isGone && status === 'awaiting');
  const panel = useStepFocus<HTMLDivElement>(isOver ? 'over' : 'confirm');
  return (
    <Card title={title} banner={!isOver && error && <Banner text={error} />}>
      {!isOver && <Timeline steps={[...DEVICE_STEPS]} current="Confirm" />}
      <div ref={panel} className={styles.panel} tabIndex={-1}>
        {isOver ? (
          <>
            <p className={styles.done} role="status">
              {status === 'done' && <Icon path={checkIcon} />}
              <span>
                {status === 'done'
                  ? `Your other device is ready: its ${noun} counts in ${organization.org} now.`
                  : "This authenticator doesn't wait. It was confirmed or removed meanwhile."}
              </span>
            </p>
            <InternalLink className={actionLink} to="/authenticators">
              My Authenticators
            </InternalLink>
          </>
        ) : (
          <>
            <SecurityImages />
            <p>
              Your other device registered the {noun}{' '}
              <strong>
                <Label text={label} inline />
              </strong>
              . Does it show this code?
            </p>
            <Comparison code={comparison}>The code on both devices</Comparison>
            <Button busy={status !== 'awaiting'} onClick={() => sign()}>
              {
                {
                  awaiting: 'The code is the same: confirm',
                  pending: 'Confirming',
                  signing: 'Waiting for your passkey',
                }[status]
              }
            </Button>
            <p className={styles.quiet}>
              It shows another code, or you didn't register anything?{' '}
              <InternalLink to={`/authenticator/${type}/${id}`}>Delete this {noun}</InternalLink>
            </p>
          </>
        )}
      </div>
    </Card>
  );
}
