import { Avatar } from '../../components/avatar.tsx';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { NO_ANSWER } from '../../lib/api-client.ts';
import { knownInfoMessage } from '../../lib/info-message.ts';
import { useClient, usePageContext, useSessionState, useUser } from '../../lib/use-client.ts';
import styles from './account.module.css';
import { AccountLinks } from './account-links.tsx';
import { OrganizationList } from './organization-list.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** `/`: the signed-in person's account and organizations. */
export function HomePage() {
  const user = useUser();
  const info = knownInfoMessage(usePageContext().info);
  return (
    <Card title="Account" banner={<HomeBanner />}>
      {info && <p role="status">{info}</p>}
      <div className={styles.person}>
        <Avatar login={user.username} src={user.avatar} />
        <p>
          Signed in as <strong>{user.username}</strong>
        </p>
      </div>
      <AccountLinks user={user} />
      <OrganizationList user={user} />
      <SignOutEverywhere />
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
