import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';
import { alertIcon, infoIcon } from './notice-icons.ts';

type Props = {
  /** A warning asks the person to act; `info` is good to know. */
  variant: 'warning' | 'info';
  children: ReactNode;
};

/** Stands out from the page without interrupting. A failed action is reported by a `Banner` instead. */
export const Notice = ({ variant, children }: Props) => (
  <div className={`${styles.notice} ${styles[variant]}`}>
    <Icon path={variant === 'warning' ? alertIcon : infoIcon} />
    <div className={styles.body}>{children}</div>
  </div>
);
