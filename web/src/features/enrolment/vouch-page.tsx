import { Navigate, useLocation } from 'react-router-dom';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { Banner } from '../../components/banner.tsx';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { findOrganization } from '../../lib/organizations.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { useUser } from '../../lib/use-client.ts';
import { useEnrolment } from '../../lib/use-enrolment.ts';
import { EnrolmentPage } from './enrolment-page.tsx';
import { VouchCard } from './vouch-card.tsx';

const TITLE = 'Vouch';

/** `/vouch`: where a person confirms somebody else's authenticator. The server's links name it `org` and `orgID`. */
export function VouchPage() {
  const query = new URLSearchParams(useLocation().search);
  const [owner, ownerID, authenticator] = ['org', 'orgID', 'authenticator'].map((name) => query.get(name));
  if (owner && ownerID && authenticator) {
    return <Navigate to={keepQuery('/vouch', '', { owner, ownerID, authenticator })} replace />;
  }
  return (
    <NamedOrganizationPage title={TITLE}>
      {(organization) => <Loading key={authenticator} organization={organization} id={authenticator ?? ''} />}
    </NamedOrganizationPage>
  );
}

type Props = { organization: NamedOrganization; id: string };

function Loading({ organization, id }: Props) {
  const state = useEnrolment(organization.orgID);
  return (
    <EnrolmentPage title={TITLE} state={state}>
      {(enrolment) => <Found enrolment={enrolment} organization={organization} id={id} />}
    </EnrolmentPage>
  );
}

function Found({ enrolment, organization, id }: Props & { enrolment: EnrolmentAnswer }) {
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

type CantVouchProps = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** Why the person can't vouch: they lack the role, or a passkey or security key. */
function CantVouch({ enrolment: { vouchers }, organization: { org, orgID } }: CantVouchProps) {
  const role = findOrganization(useUser(), { owner: org, ownerID: orgID })?.role;
  if (vouchers === 'owners' && role !== 'admin') {
    return (
      <Card title="Vouch">
        <p>
          In <strong>{org}</strong>, only owners vouch. Pass the link on to one of them.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Vouch">
      <p>
        You vouch with a passkey or security key of your own, and you don't have one in <strong>{org}</strong>{' '}
        that counts.
      </p>
      <InternalLink
        className={actionLink}
        to="/register"
        query={{ redirectURL: keepQuery('/org', '', { owner: org, ownerID: orgID }) }}
      >
        Register one
      </InternalLink>
    </Card>
  );
}

/** The link is an old one. */
const NotWaiting = () => (
  <Card
    title="Vouch"
    banner={
      <Banner text="This authenticator doesn't wait. It was confirmed, replaced or removed meanwhile." />
    }
  >
    <InternalLink className={actionLink} to="/org" query={{ authenticator: null }}>
      See who waits
    </InternalLink>
  </Card>
);
