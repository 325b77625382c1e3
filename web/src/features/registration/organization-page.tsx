import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { ChooseOrganization } from '../../components/choose-organization.tsx';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { type Organization, readOrganization } from './organization.ts';

type Props = { title: string; children: (organization: Organization) => ReactNode };

/** A page about the organization in its address. Without one, it says what is missing and offers to choose. */
export function OrganizationPage({ title, children }: Props) {
  const organization = readOrganization(usePageContext(), useUser());
  const { pathname } = useLocation();
  if ('missing' in organization) {
    return (
      <Card title={title} banner={<Banner text={organization.missing} />}>
        <ChooseOrganization target={pathname} />
      </Card>
    );
  }
  return children(organization);
}
