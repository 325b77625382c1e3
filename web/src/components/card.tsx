import { type ReactNode, useId } from 'react';
import { useTitle } from '../lib/use-title.ts';
import styles from './card.module.css';

type Props = {
  /** The page's one heading, and its name in the browser's tab. */
  title: string;
  /** Banners; their place is above the heading. */
  banner?: ReactNode;
  /** Whether what the card shows is still on its way. */
  busy?: boolean;
  /** For a table: as wide as two thirds more, where there is room. */
  wide?: boolean;
  children?: ReactNode;
};

/** The one box of a page. */
export function Card({ title, banner, busy = false, wide = false, children }: Props) {
  useTitle(title);
  const id = useId();
  return (
    <section className={`${styles.card} ${wide ? styles.wide : ''}`} aria-labelledby={id} aria-busy={busy}>
      {banner}
      <h1 id={id}>{title}</h1>
      {children}
    </section>
  );
}
