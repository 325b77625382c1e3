import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { Card } from '../../../components/card.tsx';
import { InternalLink, SecondaryButton } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { useRecordStore } from '../../../lib/record-store.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import { exactTime } from '../../../lib/times.ts';
import { useAnswer } from '../../../lib/use-client.ts';
import { useFilters } from '../../../lib/use-filters.ts';
import type { Organization } from '../../../lib/user.ts';
import { entriesAsCsv, entriesAsJson, readEveryEntry } from '../exports/export-entries.ts';
import { ExportProgress, useExport } from '../exports/use-export.tsx';
import { organizationPage } from '../organization-page.tsx';
import { type Position, positionText, readPosition } from '../position.ts';
import { ShowMore } from '../show-more.tsx';
import { NO_ACTIVITY } from './entry-text.ts';
import { FilterForm } from './filter-form.tsx';
import {
  filtersQuery,
  filtersText,
  isFiltered,
  type LogFilters,
  NO_FILTERS,
  readFilters,
} from './filters.ts';
import styles from './log.module.css';
import { LogList } from './log-list.tsx';
import { LogRowsSkeleton } from './log-row.tsx';
import { entries as entriesText, LogStatusLine } from './log-status.tsx';
import type { LogQuery } from './read-log.ts';
import { type Log, MOST_ROWS, useLog } from './use-log.ts';

const TITLE = 'Activity Log';
const FILTERS = { read: readFilters, write: filtersQuery };

/** `/org/log`: the organization's activity, newest first, updated live. */
export const LogPage = organizationPage(TITLE, ActivityLog);

function ActivityLog({ organization }: { organization: Organization }) {
  const { search } = useLocation();
  const { filters, apply } = useFilters(FILTERS);
  const before = useMemo(() => readPosition(search), [search]);
  const { loaded, shown, reload, olderPage, announcement } = useLog(organization.id, filters, before);
  const status = useAnswer<LogStatus>('/organization-log', { orgID: organization.orgId });
  const isBusy = loaded.status === 'awaiting';
  const repositories = [...new Set(shown?.entries.flatMap(({ data }) => data.repo || []))].sort();
  return (
    <Card title={TITLE} wide busy={isBusy} banner={loadFailure(loaded, reload)}>
      <LogStatusLine loaded={status.loaded} reload={status.reload} />
      <FilterForm org={organization.id} filters={filters} repositories={repositories} onChange={apply} />
      <ListState organization={organization} filters={filters} before={before} log={shown} />
      {shown && shown.entries.length > 0 && (
        <SaveEntries organization={organization} filters={filters} query={shown.query} />
      )}
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div className={styles.wide} aria-busy={isBusy || undefined}>
        {isBusy && !shown && <LogRowsSkeleton count={6} />}
        {shown && <Entries log={shown} organization={organization} filters={filters} />}
      </div>
      {loaded.status === 'ok' && <Older log={loaded.value} olderPage={olderPage} />}
    </Card>
  );
}

type EntriesProps = { log: Log; organization: Organization; filters: LogFilters };

function Entries({ log: { entries }, organization, filters }: EntriesProps) {
  if (entries.length > 0) return <LogList entries={entries} organization={organization} />;
  return <p>{isFiltered(filters) ? 'No matching activity. Change or clear the filters.' : NO_ACTIVITY}</p>;
}

type OlderProps = { log: Log; olderPage: Parameters<typeof ShowMore>[0]['nextPage'] };

/** The next entries: below these, or on the next page if this one has enough. */
function Older({ log: { entries, hasOlder }, olderPage }: OlderProps) {
  const { pathname } = useLocation();
  const last = entries.at(-1);
  if (hasOlder && last && entries.length >= MOST_ROWS) {
    return (
      <p className="on-screen">
        <InternalLink className="target" to={pathname} query={{ before: positionText(last) }}>
          Older entries
        </InternalLink>
      </p>
    );
  }
  return (
    <ShowMore nextPage={olderPage} hasMore={hasOlder}>
      Show older
    </ShowMore>
  );
}

type Props = { organization: Organization; filters: LogFilters; query: LogQuery };

/** Saves every entry that the filters match, also those that the page doesn't show yet. */
function SaveEntries({ organization, filters, query }: Props) {
  const store = useRecordStore();
  const { state, run, cancel } = useExport();
  const busy = state.status === 'running';
  const save = (kind: 'csv' | 'json') =>
    run(async (job) => {
      const read = await readEveryEntry(store, query, job);
      const name = forFileName(`otp-guard-${organization.name}-log-entries.${kind}`);
      if (kind === 'csv') saveFile({ name, type: 'text/csv', parts: entriesAsCsv(read) });
      else {
        const parts = entriesAsJson(read, { organization: organization.name, filters });
        saveFile({ name, type: 'application/json', parts });
      }
      return `Saved ${entriesText(read.length)}. This list proves nothing: for an audit, an owner exports the whole log.`;
    });
  return (
    <div className="buttons on-screen">
      <SecondaryButton busy={busy} onClick={() => save('csv')}>
        Export entries (CSV)
      </SecondaryButton>
      <SecondaryButton busy={busy} onClick={() => save('json')}>
        Export entries (JSON)
      </SecondaryButton>
      <ExportProgress state={state} onCancel={cancel} />
    </div>
  );
}

type ListStateProps = {
  organization: Organization;
  filters: LogFilters;
  /** The entry that the list begins after; null at the newest one. */
  before: Position | null;
  /** Null while the first entries load. */
  log: (Log & { query: LogQuery }) | null;
};

/** How many entries match, and what can be done with the list. A print has the filters in words. */
function ListState({ organization, filters, before, log }: ListStateProps) {
  const { pathname } = useLocation();
  const isLimited = isFiltered(filters);
  const by = log?.query.by;
  return (
    <>
      <div className={`spread on-screen ${styles.state}`}>
        <p>{log && countText(log, isLimited, before)}</p>
        <ul className="links">
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
export function countText({ entries, hasOlder }: Log, isLimited: boolean, before: Position | null): string {
  const count = entries.length;
  const noun = `${isLimited ? 'matching ' : ''}${count === 1 && !hasOlder ? 'entry' : 'entries'}`;
  const of = before ? ` before ${exactTime(before.at)}` : '';
  return `${hasOlder ? 'More than ' : ''}${count.toLocaleString('en')} ${noun}${of}`;
}
