import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';
import { alertIcon, infoIcon } from './notice-icons.ts';

type Props = {
  /** A warning asks the person to act; `info` is good to know. */
  look: 'warning' | 'info';
  children: ReactNode;
};

/** Stands out from the page without interrupting. A failed action is reported by a `Banner` instead. */
export const Notice = ({ look, children }: Props) => (
  <div className={`${styles.notice} ${styles[look]}`}>
    <Icon path={look === 'warning' ? alertIcon : infoIcon} />
    <div className={styles.body}>{children}</div>
  </div>
);
