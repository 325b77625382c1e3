import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { usePageContext, useUser } from '../lib/react/use-client.ts';
import { type NamedOrganization, readNamedOrganization } from '../lib/session/user.ts';
import { Card } from './card.tsx';
import { ChooseOrganization } from './choose-organization.tsx';

type Props = { title: string; children: (organization: NamedOrganization) => ReactNode };

/** A page about the organization in its address. Without one, it says what is missing and offers to choose. */
export function NamedOrganizationPage({ title, children }: Props) {
  const organization = readNamedOrganization(usePageContext(), useUser());
  const { pathname } = useLocation();
  if ('missing' in organization) {
    return (
      <Card title={title} banner={organization.missing}>
        <ChooseOrganization target={pathname} />
      </Card>
    );
  }
  return children(organization);
}
