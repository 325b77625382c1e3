import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { SecondaryButton } from './controls.tsx';
import styles from './list.module.css';

/** The server answers about an organization with at most this many rows. */
export const PAGE_SIZE = 50;

/** The page of a list that is on the screen. */
type ShownPage = {
  /** Null until the first page has arrived. */
  answer: { next: unknown } | null;
  /** The number of the page, from 1. */
  pageNumber: number;
  busy: boolean;
  next(): void;
  previous(): void;
};

type Props = {
  list: ShownPage;
  /** The most rows of a page. */
  size?: number;
  /** The number of rows on the screen's page, and in the whole list; null if that isn't known. */
  shown: number;
  total: number | string | null;
  children: ReactNode;
};

/**
 * A page of a list, and the buttons to the pages before and after it. A page that was chosen here takes the focus and
 * starts at its top.
 */
export function ListPages({ list, size = PAGE_SIZE, shown, total, children }: Props) {
  const { answer, pageNumber, busy, next, previous } = list;
  const top = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that another search brings keeps the search's focus.
  useLayoutEffect(() => {
    if (!wasPressed.current) return;
    wasPressed.current = false;
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: 'start' });
  }, [pageNumber]);
  const turn = (to: () => void) => () => {
    wasPressed.current = true;
    to();
  };
  const hasOthers = pageNumber > 1 || (answer?.next ?? null) !== null;
  return (
    <div ref={top} className={`stack ${styles.pages}`} tabIndex={-1} aria-busy={busy || undefined}>
      {children}
      {hasOthers && (
        <nav className="between" aria-label="Pages of the list">
          <SecondaryButton busy={busy} disabled={pageNumber === 1} onClick={turn(previous)}>
            Previous
          </SecondaryButton>
          <p role="status" className={styles.count}>
            {rangeText((pageNumber - 1) * size + 1, shown)}
            {total !== null && ` of ${total}`}
          </p>
          <SecondaryButton busy={busy} disabled={answer?.next == null} onClick={turn(next)}>
            Next
          </SecondaryButton>
        </nav>
      )}
    </div>
  );
}

/** The numbers of a page's rows. */
function rangeText(first: number, shown: number): string {
  return shown > 1 ? `${first}–${first + shown - 1}` : String(first);
}
