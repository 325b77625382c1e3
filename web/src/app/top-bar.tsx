import { type ComponentType, useContext, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Button, InternalLink } from '../components/controls.tsx';
import { Logo } from '../components/logo.tsx';
import { Tooltip } from '../components/tooltip.tsx';
import { ClientContext, useClient, usePageContext } from '../lib/react/use-client.ts';
import { logout } from '../lib/session/logout.ts';
import { isOrganizationPage, preferredOrganization } from '../lib/session/preference.ts';
import { findOrganization, type User } from '../lib/session/user.ts';
import styles from './top-bar.module.css';

/** The page's own code and requests come first, on slow machines too. */
const AFTER_START_MS = 1500;

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
      {owner ? (
        <Scope label="Organization" tooltip="Github Organization" to="/org" name={owner} />
      ) : (
        <Scope label="Account" tooltip="Github Account" to="/" name={user.username || 'Account'} />
      )}
      <Waiting />
      <Logout />
    </nav>
  );
}

/** The organization in the address, by the server's name for it. Home and an organization's pages fall back to the preferred one. */
function useOwner(user: User): string | undefined {
  const { local } = useClient();
  const context = usePageContext();
  const { pathname } = useLocation();
  if (context.owner || !(pathname === '/' || isOrganizationPage(pathname)))
    return findOrganization(user, context)?.name;
  return preferredOrganization(local, user)?.name;
}

type ScopeProps = { label: string; tooltip: string; to: string; name: string };

const Scope = ({ label, tooltip, to, name }: ScopeProps) => (
  <div className={styles.scope}>
    <span className={styles.label}>{label}:</span>
    <Tooltip text={tooltip}>
      {(id) => (
        <InternalLink className={styles.link} to={to} aria-describedby={id}>
          {name}
        </InternalLink>
      )}
    </Tooltip>
  </div>
);

/** Shows how many pull requests wait for the person. Without this code, the bar only lacks a number. */
function Waiting() {
  const [Count, setCount] = useState<ComponentType | null>(null);
  useEffect(() => {
    const load = () =>
      import('../features/inbox/inbox-count.tsx').then((loaded) => setCount(() => loaded.default));
    const timer = setTimeout(() => load().catch(() => undefined), AFTER_START_MS);
    return () => clearTimeout(timer);
  }, []);
  return Count && <Count />;
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
        <Button variant="bar" busy={busy} onClick={press}>
          Logout
        </Button>
      )}
    </Tooltip>
  );
}
