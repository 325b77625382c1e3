import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, OwnWaiting } from '../../../../src/contract/enrolment.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Ago } from '../../components/time.tsx';
import { stillCounts, voucherText } from '../../lib/enrolment.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './enrolment.module.css';
import { useTouch } from './use-touch.ts';

type Props = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** The person's authenticators from before the organization asked for vouches, each with its code and link. */
export function VouchByDate({ enrolment, organization: { org } }: Props) {
  const { now } = useClient();
  const { own, vouchExistingBy } = enrolment;
  const by = vouchExistingBy ?? '';
  return (
    <Card title="Get a vouch">
      <SecurityImages />
      <p>
        You registered here before <strong>{org}</strong> asked for vouches. Without one, your authenticators{' '}
        {stillCounts(by, now()) ? `count only until ${by}` : `haven't counted since ${by}`}.
      </p>
      <p>
        Touch one to see its code and link. Send the link to {voucherText(enrolment, org)}, and call them or
        meet them. They ask for the code, and compare it with the one on their screen.
      </p>
      <ul className={styles.items}>
        {own.map((waiting) => (
          <Item key={waiting.id} waiting={waiting} />
        ))}
      </ul>
    </Card>
  );
}

/** Shows the code after a touch only: a thief of the session may have registered an authenticator, which must get no vouch. */
function Item({ waiting: { keyId, type, label, since, comparison, page } }: { waiting: OwnWaiting }) {
  const { config } = useClient();
  const [isTouched, setIsTouched] = useState(false);
  const { isWaiting, error, touch } = useTouch(keyId, () => setIsTouched(true));
  return (
    <li className={styles.panel}>
      {error && <Banner text={error} />}
      <p>
        <Label text={label} inline />, registered <Ago at={since} />
      </p>
      {isTouched ? (
        <>
          <Comparison code={comparison}>{`The code of this ${authenticatorKinds[type].noun}`}</Comparison>
          <CopyLink url={config.origin + page} />
        </>
      ) : (
        <Button look="secondary" busy={isWaiting} onClick={touch}>
          {isWaiting ? 'Waiting for your passkey' : 'Show the code'}
        </Button>
      )}
    </li>
  );
}
