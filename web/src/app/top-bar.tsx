import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Avatar } from '../components/avatar.tsx';
import { InternalLink } from '../components/controls.tsx';
import { Logo } from '../components/logo.tsx';
import { Tooltip } from '../components/tooltip.tsx';
import { useClient, usePageContext } from '../lib/react/use-client.ts';
import { isOrganizationPage, preferredOrganization } from '../lib/session/preference.ts';
import { findOrganization, type User } from '../lib/session/user.ts';
import styles from './top-bar.module.css';

/** The page's own code and requests come first, on slow machines too. */
const AFTER_START_MS = 1500;

/** Links to home and to the organization or account that the page is about, and the person's account. */
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
      <Account {...user} />
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

const loadCount = () => import('../features/inbox/inbox-count.tsx');
const loadMenu = () => import('../features/home/account-menu.tsx');

/** Shows how many pull requests wait for the person. Without this code, the bar only lacks a number. */
function Waiting() {
  const Count = useLater(loadCount);
  return Count && <Count />;
}

/** The person's picture, with the menu of their account below it. */
function Account({ username, avatar }: User) {
  // Another page closes the menu.
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const open = openedAt === key;
  const button = useRef<HTMLButtonElement>(null);
  const Menu = useLater(loadMenu, open);
  return (
    <div className={styles.account}>
      <button
        ref={button}
        type="button"
        className={styles.home}
        aria-label={`Account of ${username}`}
        aria-expanded={open}
        onClick={() => setOpenedAt(open ? null : key)}
      >
        <Avatar login={username} src={avatar} />
      </button>
      {open && Menu && <Menu button={button} close={setOpenedAt} />}
    </div>
  );
}

/** Loads a component after the page, or immediately if it's wanted; null until then. */
function useLater<Props>(load: () => Promise<{ default: ComponentType<Props> }>, isWanted = false) {
  const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    const start = () =>
      load().then(
        (module) => setLoaded(() => module.default),
        () => undefined,
      );
    const timer = setTimeout(start, isWanted ? 0 : AFTER_START_MS);
    return () => clearTimeout(timer);
  }, [load, isWanted]);
  return Loaded;
}
