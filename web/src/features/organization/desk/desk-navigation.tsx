import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { InternalLink } from '../../../components/internal-link.tsx';
import type { Organization } from '../../../lib/user.ts';
import styles from './desk.module.css';
import { deskPages } from './desk-pages.ts';
import { onlyOrganization } from './only-organization.ts';

/** The organization's pages, with the current one marked, and the way to another organization. */
export function DeskNavigation({ role }: Pick<Organization, 'role'>) {
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
    // The window gets narrow too if somebody turns their phone.
    const sizes = new ResizeObserver(show);
    sizes.observe(pages);
    return () => sizes.disconnect();
  }, [pathname]);
  return (
    <nav className={styles.navigation} aria-label="Organization">
      <ul ref={list} className={styles.pages}>
        {deskPages(role).map((page) => (
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
