import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { OwnWaiting } from '../../../../src/contract/enrolment.ts';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { Label } from '../../components/label.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Ago } from '../../components/time.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import styles from './enrolment.module.css';
import { useTouch } from './use-touch.ts';

type Props = {
  pending: OwnWaiting;
  /** Whether this browser registered one whose place this took. */
  isReplaced: boolean;
  organization: NamedOrganization;
  onTouched: () => void;
};

/**
 * This browser didn't register what waits. If somebody else did with the person's session, the person would read out
 * that one's code, so the page shows it only after a touch.
 */
export function OtherPending({ pending, isReplaced, organization, onTouched }: Props) {
  const { type, keyId } = pending;
  const { isWaiting, error, touch } = useTouch(keyId, onTouched);
  const noun = authenticatorKinds[type].noun;
  return (
    <Card title="Waiting for a vouch" banner={error && <Banner text={error} />}>
      <SecurityImages />
      {isReplaced ? (
        <ReplacedNotice pending={pending} org={organization.org} />
      ) : (
        <p>
          Your {noun}{' '}
          <strong>
            <Label text={pending.label} inline />
          </strong>
          , registered <Ago at={pending.since} />, waits for a vouch. Touch it, and this page shows its code
          and whom to ask.
        </p>
      )}
      {isReplaced && (
        <InternalLink className={actionLink} to="/register-passkey">
          Register again
        </InternalLink>
      )}
      <Button look={isReplaced ? 'secondary' : 'primary'} busy={isWaiting} onClick={touch}>
        {isWaiting ? 'Waiting for your passkey' : isReplaced ? 'It was me: show its code' : 'Show the code'}
      </Button>
      {!isReplaced && (
        <p className={styles.quiet}>
          Don't have it here, or didn't register it? Register{' '}
          <InternalLink to="/register-passkey">another passkey</InternalLink> or{' '}
          <InternalLink to="/register-security-key">security key</InternalLink>. It takes this one's place.
        </p>
      )}
    </Card>
  );
}

const ReplacedNotice = ({ pending: { type, since }, org }: { pending: OwnWaiting; org: string }) => (
  <Notice look="warning">
    <p>
      Another {authenticatorKinds[type].noun} took the place of yours <Ago at={since} />. Wasn't that you?
      Then somebody uses your GitHub account: end its sessions on GitHub, tell an owner of{' '}
      <strong>{org}</strong>, and register again.
    </p>
  </Notice>
);
