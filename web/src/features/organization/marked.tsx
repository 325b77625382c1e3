import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { alert, info } from '../../components/notice-outlines.ts';
import { done } from '../../components/outlines.ts';
import type { Mark } from './mark.ts';
import styles from './marked.module.css';

const OUTLINES: Record<Mark, string> = { good: done, wrong: alert, unknown: info };

/** Something beside the mark of how it stands; its words say the same. */
export const Marked = ({ mark, children }: { mark: Mark; children: ReactNode }) => (
  <div className={`${styles.marked} ${styles[mark]}`}>
    <Icon outline={OUTLINES[mark]} />
    <div className={styles.body}>{children}</div>
  </div>
);
