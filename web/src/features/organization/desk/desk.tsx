import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { InternalLink } from '../../../components/controls.tsx';
import { usePageContext, useUser } from '../../../lib/react/use-client.ts';
import { findOrganization, type Organization } from '../../../lib/session/user.ts';
import styles from './desk.module.css';

/**
 * Stands around an organization's pages: its navigation next to them, or above them in a narrow window. Without an
 * organization that the person belongs to, it's only a column.
 */
export function Desk({ children }: { children: ReactNode }) {
  const organization = findOrganization(useUser(), usePageContext());
  // The page keeps its place, and so its state, when a new member's organization becomes known.
  return (
    <div className={organization ? `stack ${styles.desk}` : undefined}>
      {organization && <DeskNavigation role={organization.role} />}
      <div className={organization ? styles.content : undefined}>{children}</div>
    </div>
  );
}

/** The organization's pages, with the current one marked, and the way to another organization. */
function DeskNavigation({ role }: Pick<Organization, 'role'>) {
  const { pathname, search } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  // In a narrow window the list scrolls sideways; the current page has to be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another current link.
  useLayoutEffect(() => {
    const pages = list.current;
    if (!pages) return;
    const show = () => {
      const current = pages.querySelector<HTMLElement>('[aria-current]');
      if (current) pages.scrollLeft = current.offsetLeft - (pages.clientWidth - current.offsetWidth) / 2;
    };
    show();
    // The window gets narrow too if a person turns their phone.
    const sizes = new ResizeObserver(show);
    sizes.observe(pages);
    return () => sizes.disconnect();
  }, [pathname]);
  return (
    <nav className={styles.navigation} aria-label="Organization">
      <ul ref={list} className={styles.pages}>
        {PAGES.filter(({ isForOwners }) => role === 'admin' || !isForOwners).map((page) => (
          <li key={page.path}>
            <InternalLink
              className={styles.page}
              to={page.path}
              query={onlyOrganization(search)}
              aria-current={page.path === pathname ? 'page' : undefined}
            >
              {page.name}
            </InternalLink>
          </li>
        ))}
        <li className={styles.change}>
          <InternalLink className={styles.page} to="/" query={onlyOrganization(search)}>
            Change organization
          </InternalLink>
        </li>
      </ul>
    </nav>
  );
}

const KEPT = ['owner', 'ownerID', 'installation'];

/** Changes to a query string that leave only the organization: a search belongs to its own page. */
const onlyOrganization = (search: string): Record<string, null> =>
  Object.fromEntries(
    [...new URLSearchParams(search).keys()]
      .filter((name) => !KEPT.includes(name))
      .map((name) => [name, null]),
  );

type DeskPage = { name: string; path: `/org${string}`; isForOwners?: true };

/** The pages of an organization, as its navigation lists them. */
const PAGES: DeskPage[] = [
  { name: 'Overview', path: '/org' },
  { name: 'Pull requests', path: '/org/pulls', isForOwners: true },
  { name: 'Members', path: '/org/members', isForOwners: true },
  { name: 'Roll-out', path: '/org/roll-out', isForOwners: true },
  { name: 'Repositories', path: '/org/repositories' },
  { name: 'Authenticators', path: '/org/authenticators' },
  { name: 'Policy', path: '/org/policy' },
  { name: 'Activity log', path: '/org/log' },
  { name: 'Exports', path: '/org/exports', isForOwners: true },
  { name: 'Organization image', path: '/org/image', isForOwners: true },
  { name: 'Webhooks', path: '/org/hooks', isForOwners: true },
];
