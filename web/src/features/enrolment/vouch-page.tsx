import { type FormEvent, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, WaitingAuthenticator } from '../../../../src/contract/enrolment.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Kind } from '../../components/authenticator-table.tsx';
import { Card } from '../../components/card.tsx';
import { CodeField } from '../../components/code-field.tsx';
import { ActionLink, LoginLink, SignButton } from '../../components/controls.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { Detail } from '../../components/detail.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Ago, Label } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import { findOrganization, type NamedOrganization } from '../../lib/session/user.ts';
import { stillCounts } from '../../lib/signing/enrolment.ts';
import { canSubmitCode, codeState } from '../../lib/signing/one-time-code.ts';
import { otherDigits, useVouch } from '../../lib/signing/use-vouch.ts';
import styles from './enrolment.module.css';
import { EnrolmentPage } from './enrolment-page.tsx';

const TITLE = 'Vouch';

/** `/vouch`: where a person confirms another person's authenticator. The server's links name it `org` and `orgID`. */
export function VouchPage() {
  const query = new URLSearchParams(useLocation().search);
  const [owner, ownerID, authenticator] = ['org', 'orgID', 'authenticator'].map((name) => query.get(name));
  if (owner && ownerID && authenticator) {
    return <Navigate to={keepQuery('/vouch', '', { owner, ownerID, authenticator })} replace />;
  }
  return (
    <EnrolmentPage key={authenticator} title={TITLE}>
      {(enrolment, organization) => (
        <Found enrolment={enrolment} organization={organization} id={authenticator ?? ''} />
      )}
    </EnrolmentPage>
  );
}

type Props = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

function Found({ enrolment, organization, id }: Props & { id: string }) {
  const { search } = useLocation();
  const isIt = (one: { id: string }) => one.id === id;
  if (enrolment.own.some(isIt)) {
    return <Navigate to={keepQuery('/waiting', search, { authenticator: null })} replace />;
  }
  if (!enrolment.mayVouch) return <CantVouch enrolment={enrolment} organization={organization} />;
  const waiting = enrolment.waiting.find(isIt);
  if (!waiting) return <NotWaiting />;
  return <VouchCard waiting={waiting} enrolment={enrolment} organization={organization} />;
}

/** Why the person can't vouch: they lack the role, or a passkey or security key. */
function CantVouch({ enrolment: { vouchers }, organization: { org, orgID } }: Props) {
  const role = findOrganization(useUser(), { owner: org, ownerID: orgID })?.role;
  if (vouchers === 'owners' && role !== 'admin') {
    return (
      <Card title="Vouch">
        <p>
          In <strong>{org}</strong>, only owners vouch. Send this link to one of them:
        </p>
        <CopyLink url={window.location.href} />
      </Card>
    );
  }
  return (
    <Card title="Vouch">
      <p>
        You vouch with a passkey or security key of your own, and you don't have one in <strong>{org}</strong>{' '}
        that counts.
      </p>
      <ActionLink
        to="/register"
        query={{ redirectURL: keepQuery('/org', '', { owner: org, ownerID: orgID }) }}
      >
        Register one
      </ActionLink>
    </Card>
  );
}

/** The link is an old one. */
const NotWaiting = () => (
  <Card
    title="Vouch"
    banner="This authenticator no longer waits. It was confirmed, replaced or deleted in the meantime."
  >
    <ActionLink to="/org" query={{ authenticator: null }}>
      See who waits
    </ActionLink>
  </Card>
);

type VouchCardProps = Props & { waiting: WaitingAuthenticator };

/** Shows whose authenticator it is, the code to compare, and the button that signs. */
function VouchCard({ waiting, enrolment, organization }: VouchCardProps) {
  const { status, error, sign } = useVouch({ ...organization, waiting });
  const [heard, setHeard] = useState('');
  const { login } = waiting.holder;
  const isOther = error === otherDigits(login);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (status === 'awaiting' && canSubmitCode(heard, codeState(heard))) sign(heard);
  };
  if (status === 'complete') return <Vouched login={login} />;
  return (
    <Card title={`Vouch for ${login}`}>
      <SecurityImages />
      <p>
        <Question waiting={waiting} enrolment={enrolment} org={organization.org} /> Vouch for it if {login}{' '}
        tells you that it's theirs.
      </p>
      <WaitingDetails waiting={waiting} />
      <ol className={`stack gap-3 ${styles.steps}`}>
        <li>
          Call {login}, or meet. Don't use GitHub or e-mail for it: a thief of {login}'s account reads them,
          too.
        </li>
        <li>Ask for the six digits on {login}'s screen, and type what you hear.</li>
      </ol>
      <form className="stack" onSubmit={submit}>
        <CodeField
          label={`The code that ${login} tells you`}
          hint="You can vouch only with the code of this authenticator."
          error={isOther ? error : null}
          wait={null}
          code={heard}
          state={codeState(heard)}
          onChange={setHeard}
          readOnly={status !== 'awaiting'}
          disabled={false}
          focus={isOther ? 1 : 0}
          autoComplete="off"
        />
        <ActionError text={isOther ? null : error} />
        <SignButton type="submit" status={status} action={`Vouch for ${login}`} busyAction="Vouching" />
      </form>
      <p className="muted">
        You sign this with your passkey or security key. The activity log names you, and so does the e-mail to
        owners with a confirmed address.
      </p>
    </Card>
  );
}

function Question({ waiting, enrolment, org }: Omit<VouchCardProps, 'organization'> & { org: string }) {
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

const Vouched = ({ login }: { login: string }) => (
  <Card title={`Vouch for ${login}`}>
    <p className="marked success" role="status">
      <Icon path={checkIcon} />
      <span>
        You vouched for {login}. {login} can approve now.
      </span>
    </p>
    <ActionLink to="/org" query={{ authenticator: null }}>
      Organization
    </ActionLink>
  </Card>
);

/** Shows whose authenticator waits, since when, and what it says it is. */
function WaitingDetails({ waiting }: { waiting: WaitingAuthenticator }) {
  const { holder, type, label, model, since } = waiting;
  return (
    <dl className="details">
      <Detail name="GitHub account">
        <LoginLink login={holder.login} newTab />
      </Detail>
      <Detail name="Type">
        <Kind type={type} />
      </Detail>
      <Detail name="Authenticator">
        <Label text={label} />
      </Detail>
      {model && (
        <Detail name="Claims to be">
          <Label text={model} />
        </Detail>
      )}
      <Detail name="Registered">
        <Ago at={since} />
      </Detail>
    </dl>
  );
}
