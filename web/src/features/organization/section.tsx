import { type ReactNode, useId } from 'react';
import styles from './section.module.css';

type Props = {
  title: string;
  /** Where a link of the page leads to. */
  id?: string;
  /** Whether what it shows is still on its way. */
  busy?: boolean;
  children: ReactNode;
};

/** One part of a page, under a heading of its own. */
export function Section({ title, id, busy = false, children }: Props) {
  const heading = useId();
  return (
    <section id={id} className={styles.section} aria-labelledby={heading} aria-busy={busy || undefined}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}
