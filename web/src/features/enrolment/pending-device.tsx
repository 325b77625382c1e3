import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { Label } from '../../components/label.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';

type Props = { pending: WaitingAuthenticator; organization: NamedOrganization };

/** On the new device: the code that the first device shows too. */
export const PendingDevice = ({ pending: { type, label, comparison }, organization: { org } }: Props) => (
  <Card title="Confirm on your other device">
    <p>
      The {authenticatorKinds[type].noun}{' '}
      <strong>
        <Label text={label} inline />
      </strong>{' '}
      is registered for <strong>{org}</strong>. It counts as soon as you confirm it on your other device.
    </p>
    <Comparison code={comparison}>The code on both devices</Comparison>
    <p>Compare it with the code on your other device, and confirm there. This page then goes on by itself.</p>
  </Card>
);
