import { useLocation } from 'react-router-dom';
import { InternalLink } from '../../../components/internal-link.tsx';
import { exactTime } from '../../../lib/times.ts';
import type { Organization } from '../../../lib/user.ts';
import type { Place } from '../place.ts';
import { filtersQuery, filtersText, isFiltered, type LogFilters, NO_FILTERS } from './filters.ts';
import styles from './log.module.css';
import type { Log } from './merge-entries.ts';
import type { LogQuery } from './read-log.ts';

type Props = {
  organization: Organization;
  filters: LogFilters;
  /** The entry that the list begins after; null at the newest one. */
  before: Place | null;
  /** Null while the first entries load. */
  log: (Log & { query: LogQuery }) | null;
};

/** How many entries match, and what can be done with the list. A print has the filters in words. */
export function ListState({ organization, filters, before, log }: Props) {
  const { pathname } = useLocation();
  const isLimited = isFiltered(filters);
  const by = log?.query.by;
  return (
    <>
      <div className={styles.state}>
        <p>{log && countText(log, isLimited, before)}</p>
        <ul>
          {before && (
            <li>
              <InternalLink to={pathname} query={{ before: null }}>
                Newest entries
              </InternalLink>
            </li>
          )}
          {isLimited && (
            <li>
              <InternalLink to={pathname} query={filtersQuery(NO_FILTERS)}>
                Clear filters
              </InternalLink>
            </li>
          )}
          {organization.role === 'admin' && (
            <li>
              <InternalLink to="/org/exports" query={filtersQuery(NO_FILTERS)}>
                Export the log or receipts
              </InternalLink>
            </li>
          )}
        </ul>
      </div>
      {by && 'ids' in by && !by.areAll && (
        <p>
          More than 20 members match “{filters.person}”. These are the entries of 20 of them: type more of the
          login.
        </p>
      )}
      <p className={styles.printed}>
        The log of {organization.name}
        {isLimited && `, filtered by ${filtersText(filters)}`}. Printed on{' '}
        {exactTime(new Date().toISOString())}.
      </p>
    </>
  );
}

/** The exact number needs every entry to be read, so it's known only if all are here. */
export function countText({ entries, hasOlder }: Log, isLimited: boolean, before: Place | null): string {
  const count = entries.length;
  const noun = `${isLimited ? 'matching ' : ''}${count === 1 && !hasOlder ? 'entry' : 'entries'}`;
  const of = before ? ` before ${exactTime(before.at)}` : '';
  return `${hasOlder ? 'More than ' : ''}${count.toLocaleString('en')} ${noun}${of}`;
}
