import { type ComponentType, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { Logo } from '../components/logo.tsx';
import styles from './frame.module.css';
import { PageSkeleton } from './page-skeleton.tsx';

type Props = {
  bar?: ReactNode;
  /** The width of the content; a column if there is none. */
  width?: 'wide' | 'pair' | 'sides' | 'desk' | undefined;
  /** Stands around the content, with a navigation of its own. */
  desk?: ComponentType<{ children: ReactNode }> | undefined;
  children: ReactNode;
};

/** The frame of every page: a link to skip the bar, the bar and the content. The footer is in `index.html`. */
export function Frame({ bar, width, desk: Desk, children }: Props) {
  const main = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  const navigation = useNavigationType();
  const page = pathname + search;
  const shown = useRef(page);

  // A new page starts at the top like a freshly loaded one, for screen readers too. A focused banner keeps the focus.
  // A search that replaces the page's own address isn't a new page.
  useLayoutEffect(() => {
    const last = shown.current;
    if (last === page) return;
    shown.current = page;
    if (navigation === 'REPLACE' && last.split('?', 1)[0] === pathname) return;
    window.scrollTo(0, 0);
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
  }, [page, pathname, navigation]);

  const content = (className?: string) => (
    <main ref={main} id="main" className={className} tabIndex={-1}>
      {children}
    </main>
  );
  return (
    <div className={`${styles.frame} ${(width && styles[width]) ?? ''}`}>
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
      {Desk ? (
        <div className={styles.main}>
          <Suspense fallback={<PageSkeleton />}>
            <Desk>{content()}</Desk>
          </Suspense>
        </div>
      ) : (
        content(styles.main)
      )}
    </div>
  );
}
