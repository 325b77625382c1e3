import type { ReactNode } from 'react';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { alertIcon, infoIcon } from '../../components/notice-icons.ts';
import styles from './status-row.module.css';

const ICONS: Record<Status, string> = { good: checkIcon, wrong: alertIcon, unknown: infoIcon };

/** A text with the icon of its status. The text has to say the status too: the icon has no name. */
export const StatusRow = ({ status, children }: { status: Status; children: ReactNode }) => (
  <div className={`marked ${styles[status]}`}>
    <Icon path={ICONS[status]} />
    <div className={styles.body}>{children}</div>
  </div>
);

/** Whether something is in order, needs fixing, or can't be checked. */
export type Status = 'good' | 'wrong' | 'unknown';
