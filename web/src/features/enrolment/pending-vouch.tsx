import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { Label } from '../../components/label.tsx';
import { voucherText } from '../../lib/enrolment.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './enrolment.module.css';

type Props = { pending: WaitingAuthenticator; enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** The code to compare, whom to ask, and the link to send them. */
export function PendingVouch({ pending, enrolment, organization: { org } }: Props) {
  const { config } = useClient();
  const { type, label, comparison, page } = pending;
  return (
    <Card title="Waiting for a vouch">
      <p>
        Your {authenticatorKinds[type].noun}{' '}
        <strong>
          <Label text={label} inline />
        </strong>{' '}
        is registered. It counts as soon as {voucherText(enrolment, org)} confirms that it's yours.
      </p>
      <Comparison code={comparison}>Your code</Comparison>
      <ol className={styles.steps}>
        <li>
          Send this link to {voucherText(enrolment, org)}:
          <CopyLink url={config.origin + page} />
        </li>
        <li>Call them, or meet them. They ask for your code, and compare it with the one on their screen.</li>
        <li>They confirm, and this page goes on by itself. You can also close it and come back later.</li>
      </ol>
      <p className={styles.quiet}>
        Registered the wrong one? <InternalLink to="/register-passkey">Register another passkey</InternalLink>{' '}
        or <InternalLink to="/register-security-key">security key</InternalLink>. It takes this one's place,
        with a new code and link.
      </p>
    </Card>
  );
}
