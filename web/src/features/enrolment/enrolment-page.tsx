import type { ReactNode } from 'react';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { Card } from '../../components/card.tsx';
import { FailedCard } from '../../components/load-failure.tsx';
import { NamedOrganizationPage } from '../../components/named-organization-page.tsx';
import { SkeletonLine } from '../../components/text.tsx';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { useEnrolment } from '../../lib/signing/use-enrolment.ts';

type Props = {
  title: string;
  /** True if the page reads the enrolment again when one of the person's authenticators changes. */
  isLive?: boolean;
  children: (enrolment: EnrolmentAnswer, organization: NamedOrganization) => ReactNode;
};

/** A page about the enrolment of the organization in its address, once the server has answered. */
export const EnrolmentPage = (props: Props) => (
  <NamedOrganizationPage title={props.title}>
    {(organization) => <Loading key={organization.orgID} organization={organization} {...props} />}
  </NamedOrganizationPage>
);

function Loading({ title, isLive, organization, children }: Props & { organization: NamedOrganization }) {
  const { loaded, reload } = useEnrolment(organization.orgID, isLive);
  if (loaded.status === 'ok') return children(loaded.value, organization);
  if (loaded.status === 'failed') return <FailedCard title={title} text={loaded.text} onRetry={reload} />;
  return (
    <Card title={title} busy>
      <SkeletonLine like="A guess at the length of the text about one authenticator, in two lines." />
    </Card>
  );
}
