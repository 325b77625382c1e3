import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { SecondaryButton } from '../../../components/controls.tsx';
import styles from './list.module.css';
import { type List, PAGE_SIZE } from './use-list.ts';

type Props = {
  list: List<{ next: string | null }>;
  /** How many rows the page on the screen has, and the whole list. */
  shown: number;
  total: number;
  children: ReactNode;
};

/**
 * A page of a list, and the buttons to the pages before and after it. A page that was chosen here takes the focus and
 * starts at its top.
 */
export function ListPages({ list, shown, total, children }: Props) {
  const { answer, place, busy, next, previous } = list;
  const top = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that another search brings keeps the search's focus.
  useLayoutEffect(() => {
    if (!wasPressed.current) return;
    wasPressed.current = false;
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: 'start' });
  }, [place]);
  const turn = (to: () => void) => () => {
    wasPressed.current = true;
    to();
  };
  const hasOthers = place > 1 || (answer?.next ?? null) !== null;
  return (
    <div ref={top} className={`stack ${styles.pages}`} tabIndex={-1} aria-busy={busy || undefined}>
      {children}
      {hasOthers && (
        <nav className="between" aria-label="Pages of the list">
          <SecondaryButton busy={busy} disabled={place === 1} onClick={turn(previous)}>
            Previous
          </SecondaryButton>
          <p role="status" className={styles.count}>
            {rangeText(place, shown)} of {total}
          </p>
          <SecondaryButton busy={busy} disabled={answer?.next == null} onClick={turn(next)}>
            Next
          </SecondaryButton>
        </nav>
      )}
    </div>
  );
}

/** The numbers of a page's rows, from 1. */
function rangeText(place: number, shown: number): string {
  const first = (place - 1) * PAGE_SIZE + 1;
  return shown > 1 ? `${first}–${first + shown - 1}` : String(first);
}
