import { type FormEvent, useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { Kind } from '../../components/authenticator-columns.tsx';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import { InternalLink } from '../../components/internal-link.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Ago } from '../../components/time.tsx';
import { stillCounts } from '../../lib/enrolment.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { canSubmitCode, codeState } from '../../lib/one-time-code.ts';
import { useClient } from '../../lib/use-client.ts';
import { useVouch } from '../../lib/use-vouch.ts';
import styles from './enrolment.module.css';

type Props = { waiting: WaitingAuthenticator; enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** Shows whose authenticator it is, the code to compare, and the button that signs. */
export function VouchCard({ waiting, enrolment, organization }: Props) {
  const { status, error, isOther, sign } = useVouch({ ...organization, waiting });
  const [heard, setHeard] = useState('');
  const { holder, type } = waiting;
  const login = holder.login;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (status === 'awaiting' && canSubmitCode(heard, codeState(heard))) sign(heard);
  };
  if (status === 'done') return <Vouched login={login} type={type} />;
  return (
    <Card title={`Vouch for ${login}`} banner={error && <Banner text={error} />}>
      <SecurityImages />
      <p>
        <Question waiting={waiting} enrolment={enrolment} org={organization.org} /> Vouch for it if {login}{' '}
        tells you that it's theirs.
      </p>
      <WaitingFacts waiting={waiting} />
      <ol className={styles.steps}>
        <li>
          Call {login}, or meet. Don't use GitHub or e-mail for it: someone who stole {login}'s account reads
          them, too.
        </li>
        <li>Ask for the six digits on {login}'s screen, and type what you hear.</li>
      </ol>
      <form className={styles.panel} onSubmit={submit}>
        <CodeField
          label={`The code that ${login} tells you`}
          hint="You can vouch only with the code of this authenticator."
          error={isOther ? otherDigits(login) : null}
          wait={null}
          code={heard}
          state={codeState(heard)}
          onChange={setHeard}
          readOnly={status !== 'awaiting'}
          disabled={false}
          focus={isOther ? 1 : 0}
          autoComplete="off"
        />
        <Button type="submit" busy={status !== 'awaiting'}>
          {
            { awaiting: `Vouch for ${login}`, pending: 'Vouching', signing: 'Waiting for your passkey' }[
              status
            ]
          }
        </Button>
      </form>
      <p className={styles.quiet}>
        You sign this with your passkey or security key. The activity log names you, and so does the e-mail to
        owners with a confirmed address.
      </p>
    </Card>
  );
}

const otherDigits = (login: string) =>
  `That isn't the code of this authenticator, so nothing was signed. Ask ${login} to read it again. ` +
  "If it stays another one, don't vouch: somebody else may have registered this authenticator.";

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

/** Shows whose authenticator waits, since when, and what it says it is. */
function WaitingFacts({ waiting }: { waiting: WaitingAuthenticator }) {
  const { config } = useClient();
  const { holder, type, label, model, since } = waiting;
  return (
    <dl className={styles.facts}>
      <dt>GitHub account</dt>
      <dd>
        <GithubLink href={`${config.github}/${encodeURIComponent(holder.login)}`} newTab>
          <bdi>{holder.login}</bdi>
        </GithubLink>
      </dd>
      <dt>Type</dt>
      <dd>
        <Kind type={type} />
      </dd>
      <dt>Authenticator</dt>
      <dd>
        <Label text={label} />
      </dd>
      {model && (
        <>
          <dt>Claims to be</dt>
          <dd>
            <Label text={model} />
          </dd>
        </>
      )}
      <dt>Registered</dt>
      <dd>
        <Ago at={since} />
      </dd>
    </dl>
  );
}
