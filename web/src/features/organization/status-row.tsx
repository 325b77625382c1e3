import type { ReactNode } from 'react';
import type { FindingStatus } from '../../../../src/contract/findings.ts';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { alertIcon, infoIcon } from '../../components/notice-icons.ts';
import styles from './status-row.module.css';

/** The icon of each status. */
export const ICONS: Record<FindingStatus, string> = {
  ok: checkIcon,
  attention: infoIcon,
  failing: alertIcon,
  unknown: infoIcon,
};

/** A text with the icon of its status. The text has to say the status too: the icon has no name. */
export const StatusRow = ({ status, children }: { status: FindingStatus; children: ReactNode }) => (
  <div className={`marked ${styles[status]}`}>
    <Icon path={ICONS[status]} />
    <div className={styles.body}>{children}</div>
  </div>
);
