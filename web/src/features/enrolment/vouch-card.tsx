import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import { InternalLink } from '../../components/internal-link.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { stillCounts } from '../../lib/enrolment.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { useClient } from '../../lib/use-client.ts';
import { useVouch } from '../../lib/use-vouch.ts';
import styles from './enrolment.module.css';
import { WaitingFacts } from './waiting-facts.tsx';

type Props = { waiting: WaitingAuthenticator; enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** Whose authenticator it is, the code to compare, and the button that signs. */
export function VouchCard({ waiting, enrolment, organization }: Props) {
  const { status, error, sign } = useVouch({ ...organization, waiting });
  const { holder, type, comparison } = waiting;
  const login = holder.login;
  if (status === 'done') return <Vouched login={login} type={type} />;
  return (
    <Card title={`Vouch for ${login}`} banner={error && <Banner text={error} />}>
      <SecurityImages />
      <p>
        <Question waiting={waiting} enrolment={enrolment} org={organization.org} /> Vouch for it if {login}{' '}
        tells you that it's theirs.
      </p>
      <WaitingFacts waiting={waiting} />
      <Comparison code={comparison}>{`${login} reads you this code`}</Comparison>
      <ol className={styles.steps}>
        <li>
          Call {login}, or meet. Don't use GitHub or e-mail for it: someone who stole {login}'s account reads
          them, too.
        </li>
        <li>Ask for the code. Don't read it out first.</li>
        <li>Vouch only if it's the same code.</li>
      </ol>
      <Button busy={status !== 'awaiting'} onClick={sign}>
        {{ awaiting: `Vouch for ${login}`, pending: 'Vouching', signing: 'Waiting for your passkey' }[status]}
      </Button>
      <p className={styles.quiet}>
        You sign this with your passkey or security key. The activity log names you, and so does the e-mail to
        owners with a confirmed address.
      </p>
    </Card>
  );
}

function Question({ waiting, enrolment, org }: Omit<Props, 'organization'> & { org: string }) {
  const { now } = useClient();
  const { holder, type, waitsFor } = waiting;
  const noun = authenticatorKinds[type].noun;
  const by = enrolment.vouchExistingBy ?? '';
  if (waitsFor !== 'existing') {
    return (
      <>
        <strong>{holder.login}</strong> registered a {noun} in <strong>{org}</strong>. It doesn't count yet.
      </>
    );
  }
  return (
    <>
      <strong>{holder.login}</strong> registered a {noun} before <strong>{org}</strong> asked for vouches. It{' '}
      {stillCounts(by, now()) ? `counts until ${by}` : `hasn't counted since ${by}`}.
    </>
  );
}

const Vouched = ({ login, type }: { login: string; type: WaitingAuthenticator['type'] }) => (
  <Card title={`Vouch for ${login}`}>
    <p className={styles.done} role="status">
      <Icon path={checkIcon} />
      <span>
        You vouched for {login}. Their {authenticatorKinds[type].noun} counts now.
      </span>
    </p>
    <InternalLink className={actionLink} to="/org" query={{ authenticator: null }}>
      Organization
    </InternalLink>
  </Card>
);
