import type { ComponentType, ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { ChooseOrganization } from '../../components/choose-organization.tsx';
import { Button } from '../../components/controls.tsx';
import { Skeleton } from '../../components/text.tsx';
import { WrongPerson } from '../../components/wrong-person.tsx';
import {
  useClient,
  usePageContext,
  useSessionProblem,
  useSessionState,
  useUser,
} from '../../lib/react/use-client.ts';
import { findOrganization, NO_OWNER_ID, type Organization } from '../../lib/session/user.ts';
import styles from './organization-page.module.css';

/**
 * A page about the organization that the address names; it starts again for another organization. New members may be
 * missing from the stored session, so nobody is refused until the session has been refreshed.
 *
 * @param Unnamed Shown if the address names no organization at all.
 */
export function organizationPage(
  title: string,
  Content: ComponentType<{ organization: Organization }>,
  Unnamed?: ComponentType,
): ComponentType {
  return function OrganizationPage() {
    const context = usePageContext();
    const organization = findOrganization(useUser(), context);

    const isNamed = context.owner !== '' || context.ownerID !== '';
    if (Unnamed && !isNamed) return <Unnamed />;
    if (!isNamed) {
      return (
        <Refused title={title} text={NO_OWNER_ID}>
          <ChooseOrganization />
        </Refused>
      );
    }
    if (!organization) return <Unknown title={title} />;
    return <Content key={organization.id} organization={organization} />;
  };
}

function Unknown({ title }: { title: string }) {
  const { session } = useClient();
  const state = useSessionState();
  const problem = useSessionProblem();
  if (state.status !== 'signed-in' || state.fresh === 'pending') return <Waiting title={title} />;
  if (state.fresh === 'failed') {
    return (
      <Refused title={title} text={problem}>
        <Button onClick={() => void session.refresh()}>Try again</Button>
      </Refused>
    );
  }
  return <WrongPerson title={title} />;
}

function Refused({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card title={title} banner={text}>
      <div className={`stack ${styles.way}`}>{children}</div>
    </Card>
  );
}

const Waiting = ({ title }: { title: string }) => (
  <Card title={title} wide busy>
    <p>
      <Skeleton like="A placeholder about as long as the text that will appear here in a moment, on two lines." />
    </p>
  </Card>
);
