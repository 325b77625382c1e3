import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ChooseOrganization } from '../../components/choose-organization.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { NO_ORGANIZATION } from '../../lib/named-organization.ts';
import { findOrganization } from '../../lib/organizations.ts';
import {
  useClient,
  usePageContext,
  useSessionProblem,
  useSessionState,
  useUser,
} from '../../lib/use-client.ts';
import type { Organization } from '../../lib/user.ts';
import styles from './require-organization.module.css';

const NOT_THEIRS =
  "You aren't a member of this organization, or OTP Guard isn't installed there.\nChoose one of yours, or ask an owner of it.";

type Props = {
  title: string;
  wide?: boolean;
  /** Shown if the address names no organization at all. */
  unnamed?: ReactNode;
  children: (organization: Organization) => ReactNode;
};

/**
 * Renders a page with the organization that the address names. New members may be missing from the stored session, so
 * nobody is refused until the session has been refreshed.
 */
export function RequireOrganization({ title, wide = false, unnamed, children }: Props) {
  const context = usePageContext();
  const organization = findOrganization(useUser(), context);

  if (unnamed && !context.owner && !context.ownerID) return unnamed;
  if (!context.ownerID) {
    return (
      <Refused title={title} text={NO_ORGANIZATION}>
        <ChooseOrganization />
      </Refused>
    );
  }
  return organization ? children(organization) : <Unknown title={title} wide={wide} />;
}

function Unknown({ title, wide }: { title: string; wide: boolean }) {
  const { session } = useClient();
  const state = useSessionState();
  const problem = useSessionProblem();
  if (state.status !== 'signed-in' || state.fresh === 'pending') return <Waiting title={title} wide={wide} />;
  if (state.fresh === 'failed') {
    return (
      <Refused title={title} text={problem}>
        <Button onClick={() => void session.refresh()}>Try again</Button>
      </Refused>
    );
  }
  return (
    <Refused title={title} text={NOT_THEIRS}>
      <ChooseOrganization />
    </Refused>
  );
}

function Refused({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card title={title} banner={<Banner text={text} />}>
      <div className={styles.way}>{children}</div>
    </Card>
  );
}

const Waiting = ({ title, wide }: { title: string; wide: boolean }) => (
  <Card title={title} wide={wide} busy>
    <p>
      <Skeleton like="A placeholder about as long as the text that will appear here in a moment, on two lines." />
    </p>
  </Card>
);
