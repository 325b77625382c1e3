import { useContext, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../components/button.tsx';
import { InternalLink } from '../components/internal-link.tsx';
import { Logo } from '../components/logo.tsx';
import { Tooltip } from '../components/tooltip.tsx';
import { logout } from '../lib/logout.ts';
import { isOrganizationPage, preferredOrganization } from '../lib/preference.ts';
import { ClientContext, useClient, usePageContext } from '../lib/use-client.ts';
import type { User } from '../lib/user.ts';
import styles from './top-bar.module.css';

/** Links to home and to the organization or account that the page is about, and the *Logout* button. */
export function TopBar({ user }: { user: User }) {
  const owner = useOwner(user);
  return (
    <nav className={styles.bar} aria-label="OTP Guard">
      <Tooltip text="Main Dashboard">
        {() => (
          <InternalLink className={styles.home} to="/" aria-label="Main Dashboard">
            <Logo />
          </InternalLink>
        )}
      </Tooltip>
      <div className={styles.scope}>
        {owner ? <Organization owner={owner} /> : <Account name={user.username} />}
      </div>
      <Logout />
    </nav>
  );
}

/** The organization in the address. Home and an organization's pages fall back to the preferred one. */
function useOwner(user: User): string | undefined {
  const { local } = useClient();
  const { owner } = usePageContext();
  const { pathname } = useLocation();
  if (owner || !(pathname === '/' || isOrganizationPage(pathname))) return owner;
  return preferredOrganization(local, user)?.name;
}

function Organization({ owner }: { owner: string }) {
  return (
    <>
      <span className={styles.label}>Organization:</span>
      <Tooltip text="Github Organization">
        {(id) => (
          <InternalLink className={styles.link} to="/org" aria-describedby={id}>
            {owner}
          </InternalLink>
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
          <InternalLink className={styles.link} to="/" aria-describedby={id}>
            {name || 'Account'}
          </InternalLink>
        )}
      </Tooltip>
    </>
  );
}

function Logout() {
  const client = useContext(ClientContext);
  const [busy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    void logout(client).finally(() => setBusy(false));
  };
  return (
    <Tooltip text="Logout" align="end">
      {() => (
        <Button look="bar" busy={busy} onClick={press}>
          Logout
        </Button>
      )}
    </Tooltip>
  );
}
