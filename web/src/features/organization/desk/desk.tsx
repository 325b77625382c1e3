import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { findOrganization } from '../../../lib/organizations.ts';
import { usePageContext, useUser } from '../../../lib/use-client.ts';
import styles from './desk.module.css';
import { DeskNavigation } from './desk-navigation.tsx';

/** Forms and texts, which are hard to read in long lines. All other pages have lists and take the width that is there. */
const NARROW = ['/org/policy', '/org/image'];

/**
 * Stands around an organization's pages: its navigation beside them, or above them in a narrow window. Without an
 * organization that the person belongs to, it's only a column.
 */
export function Desk({ children }: { children: ReactNode }) {
  const organization = findOrganization(useUser(), usePageContext());
  const { pathname } = useLocation();
  const look = NARROW.includes(pathname) ? styles.narrow : styles.content;
  // The page keeps its place, and so its state, when a new member's organization becomes known.
  return (
    <div className={organization ? styles.desk : undefined}>
      {organization && <DeskNavigation role={organization.role} />}
      <div className={organization ? look : undefined}>{children}</div>
    </div>
  );
}
