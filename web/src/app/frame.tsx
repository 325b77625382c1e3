import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { Logo } from '../components/logo.tsx';
import styles from './frame.module.css';

/** The frame of every page: a link to skip the bar, the bar and the content. The footer is in `index.html`. */
export function Frame({ bar, children }: { bar?: ReactNode; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  const page = pathname + search;
  const shown = useRef(page);

  // A new page starts at the top like a freshly loaded one, for screen readers too. A focused banner keeps the focus.
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    window.scrollTo(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
  }, [page]);

  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.header}>
        {bar || (
          <p className={styles.name}>
            <Logo /> OTP Guard
          </p>
        )}
      </header>
      <main ref={main} id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
