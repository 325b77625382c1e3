import type { ReactNode } from 'react';
import styles from './more.module.css';

/** Actions of a row that are rare or take something away: they're in sight only once a person opens them. */
export const More = ({ about, children }: { about: string; children: ReactNode }) => (
  <details className={styles.more}>
    <summary>
      More<span className="visually-hidden"> about {about}</span>
    </summary>
    {children}
  </details>
);
