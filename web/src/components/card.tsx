import { type ReactNode, useEffect, useId } from 'react';
import styles from './card.module.css';

type Props = {
  /** The page's only `h1`, also shown in the browser's tab. */
  title: string;
  /** Banners, shown above the heading. */
  banner?: ReactNode;
  /** Whether the content is still loading. */
  busy?: boolean;
  /** Makes the card two thirds wider if the window has room, for a table. */
  wide?: boolean;
  children?: ReactNode;
};

/** The box that holds a page's content. */
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

/** Sets the page's title in the browser's tab and history. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'OTP Guard' ? title : `${title} · OTP Guard`;
  }, [title]);
}
