import { Avatar } from '../../components/avatar.tsx';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { NO_ANSWER } from '../../lib/api-client.ts';
import { useClient, useSessionState, useUser } from '../../lib/use-client.ts';
import styles from './home.module.css';
import { OrganizationList } from './organization-list.tsx';

/** The account: who is signed in, and the organizations that they belong to. */
export function HomePage() {
  const user = useUser();
  return (
    <Card title="Account" banner={<HomeBanner />}>
      <div className={styles.person}>
        <Avatar login={user.username} src={user.avatar} />
        <p>
          Signed in as <strong>{user.username}</strong>
        </p>
      </div>
      <p>
        <KeptLink to="/authenticators">My Authenticators</KeptLink>
      </p>
      <OrganizationList user={user} />
    </Card>
  );
}

function HomeBanner() {
  const { session } = useClient();
  const state = useSessionState();
  if (state.status !== 'signed-in' || state.fresh !== 'failed') return null;
  return (
    <Banner text={NO_ANSWER}>
      <Button look="secondary" onClick={() => void session.refresh()}>
        Try again
      </Button>
    </Banner>
  );
}
