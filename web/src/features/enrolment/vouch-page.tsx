import { Navigate, useLocation } from 'react-router-dom';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { useEnrolment } from '../../lib/use-enrolment.ts';
import { CantVouch, NotWaiting } from './cant-vouch.tsx';
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
