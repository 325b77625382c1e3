import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { type Organization, readOrganization } from './organization.ts';

type Props = { title: string; children: (organization: Organization) => ReactNode };

/** A page about the organization in its address; says what is missing where there is none. */
export function OrganizationPage({ title, children }: Props) {
  const organization = readOrganization(usePageContext(), useUser());
  if ('missing' in organization) {
    return <Card title={title} banner={<Banner text={organization.missing} />} />;
  }
  return children(organization);
}
