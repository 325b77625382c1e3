import { useContext, useState } from 'react';
import { Button } from '../components/button.tsx';
import { GithubLink } from '../components/github-link.tsx';
import { Icon } from '../components/icon.tsx';
import { KeptLink } from '../components/kept-link.tsx';
import { home } from '../components/outlines.ts';
import { Tooltip } from '../components/tooltip.tsx';
import { logout } from '../lib/logout.ts';
import { ClientContext, usePageContext } from '../lib/use-client.ts';
import type { User } from '../lib/user.ts';
import styles from './top-bar.module.css';

/** Where the person is and for whom: home, the organization or the account, and the way out. */
export function TopBar({ user }: { user: User }) {
  const { owner } = usePageContext();
  return (
    <nav className={styles.bar} aria-label="OTP Guard">
      <Tooltip text="Main Dashboard">
        {() => (
          <KeptLink className={styles.home} to="/" aria-label="Main Dashboard">
            <Icon outline={home} size="large" />
          </KeptLink>
        )}
      </Tooltip>
      <div className={styles.scope}>
        {owner ? <Organization owner={owner} /> : <Account name={user.username} />}
      </div>
      <Logout />
    </nav>
  );
}

function Organization({ owner }: { owner: string }) {
  const client = useContext(ClientContext);
  const href = client && `${client.config.github}/${encodeURIComponent(owner)}`;
  return (
    <>
      <span className={styles.label}>Organization:</span>
      <Tooltip text="Github Organization">
        {(id) => (
          <GithubLink className={styles.link} href={href} aria-describedby={id}>
            {owner}
          </GithubLink>
        )}
      </Tooltip>
    </>
  );
}

function Account({ name }: { name: string }) {
  return (
    <>
      <span className={styles.label}>Account:</span>
      <Tooltip text="Github Account">
        {(id) => (
          <KeptLink className={styles.link} to="/" aria-describedby={id}>
            {name || 'Account'}
          </KeptLink>
        )}
      </Tooltip>
    </>
  );
}

function Logout() {
  const client = useContext(ClientContext);
  const [busy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    void logout(client).finally(() => setBusy(false));
  };
  return (
    <Tooltip text="Logout" align="end">
      {() => (
        <Button look="bar" busy={busy} onClick={leave}>
          Logout
        </Button>
      )}
    </Tooltip>
  );
}
