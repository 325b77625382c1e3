import type { ReactNode } from 'react';
import { findOrganization } from '../../../lib/organizations.ts';
import { usePageContext, useUser } from '../../../lib/use-client.ts';
import styles from './desk.module.css';
import { DeskNavigation } from './desk-navigation.tsx';

/**
 * Stands around an organization's pages: its navigation beside them, or above them in a narrow window. Without an
 * organization that the person belongs to, it's only a column.
 */
export function Desk({ children }: { children: ReactNode }) {
  const organization = findOrganization(useUser(), usePageContext());
  // The page keeps its place, and so its state, when a new member's organization becomes known.
  return (
    <div className={organization ? styles.desk : undefined}>
      {organization && <DeskNavigation role={organization.role} />}
      <div className={organization ? styles.content : undefined}>{children}</div>
    </div>
  );
}
