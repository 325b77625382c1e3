import type { Organization } from '../../../lib/user.ts';
import { groupByDay } from './days.ts';
import type { Entry } from './entry.ts';
import { EntryRow } from './entry-row.tsx';
import styles from './log.module.css';
import { useKeepPlace } from './use-keep-place.ts';

type Props = {
  entries: Entry[];
  organization: Organization;
  /** The level of a day's heading; one below that of what it stands under. */
  heading?: 'h2' | 'h3';
};

/** The entries under the days that they were on. */
export function LogList({ entries, organization, heading: Heading = 'h2' }: Props) {
  const ref = useKeepPlace<HTMLDivElement>(entries[0]?.id ?? '');
  return (
    <div ref={ref} className={styles.log}>
      {groupByDay(entries).map(({ heading, entries }) => (
        <section key={heading} className={styles.day} aria-label={heading}>
          <Heading>{heading}</Heading>
          <ol className={styles.entries}>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} organization={organization} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
