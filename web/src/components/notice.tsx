import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';
import { alert, info } from './notice-outlines.ts';

type Props = {
  /** Something to act on, or something good to know. */
  look: 'warning' | 'info';
  children: ReactNode;
};

/** Stands out from the page without interrupting; what went wrong with an action is a banner's. */
export const Notice = ({ look, children }: Props) => (
  <div className={`${styles.notice} ${styles[look]}`}>
    <Icon outline={look === 'warning' ? alert : info} />
    <div className={styles.body}>{children}</div>
  </div>
);
