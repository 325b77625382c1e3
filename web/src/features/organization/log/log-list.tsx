import { useLayoutEffect, useRef } from 'react';
import type { Organization } from '../../../lib/session/user.ts';
import type { Entry } from './entry.ts';
import { groupByDay } from './local-time.ts';
import styles from './log.module.css';
import { LogRow } from './log-row.tsx';

type Props = {
  entries: Entry[];
  organization: Organization;
  /** The heading level of a day. */
  heading?: 'h2' | 'h3';
};

/** The entries, grouped under the days when they happened. */
export function LogList({ entries, organization, heading: Heading = 'h2' }: Props) {
  const ref = useScrollAnchor<HTMLDivElement>(entries[0]?.id ?? '');
  return (
    <div ref={ref} className={`stack ${styles.log}`}>
      {groupByDay(entries).map(({ heading, items }) => (
        <section key={heading} className={styles.day} aria-label={heading}>
          <Heading>{heading}</Heading>
          <ol>
            {items.map((entry) => (
              <LogRow key={entry.id} entry={entry} organization={organization} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/**
 * Keeps the scroll position of a reader who has scrolled into the list when entries are added above. A reader at the
 * top sees new entries appear. `firstId` is the `data-entry` of the first entry.
 */
function useScrollAnchor<List extends HTMLElement>(firstId: string) {
  const ref = useRef<List>(null);
  const anchor = useRef<{ id: string; offset: number } | null>(null);

  useLayoutEffect(() => {
    const list = ref.current;
    if (!list) return;
    const before = anchor.current;
    const offset = offsetOf(list, firstId);
    anchor.current = offset === null ? null : { id: firstId, offset };
    if (!before || before.id === firstId) return;
    const offsetNow = offsetOf(list, before.id);
    const isScrolledInto = list.getBoundingClientRect().top < 0;
    if (offsetNow !== null && isScrolledInto) window.scrollBy(0, offsetNow - before.offset);
  }, [firstId]);

  return ref;
}

/** The distance of an entry from the top of its list, in pixels; null if it isn't in the list. */
function offsetOf(list: HTMLElement, id: string): number | null {
  const entry = list.querySelector(`[data-entry="${CSS.escape(id)}"]`);
  return entry && entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
}
