import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { InternalLink } from '../../../components/internal-link.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { useRecordStore } from '../../../lib/record-store.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/user.ts';
import { entriesAsCsv, entriesAsJson, readEveryEntry } from '../exports/export-entries.ts';
import { ExportProgress } from '../exports/export-progress.tsx';
import { useExport } from '../exports/use-export.ts';
import { useFilters } from '../list/use-filters.ts';
import { organizationPage } from '../organization-page.tsx';
import { placeText, readPlace } from '../place.ts';
import { ShowMore } from '../show-more.tsx';
import { NO_ACTIVITY } from './entry-text.ts';
import { FilterForm } from './filter-form.tsx';
import { filtersQuery, isFiltered, type LogFilters, readFilters } from './filters.ts';
import { ListState } from './list-state.tsx';
import styles from './log.module.css';
import { LogList } from './log-list.tsx';
import { LogRowsSkeleton } from './log-row.tsx';
import { LogStatusLine } from './log-status.tsx';
import { type Log, MOST_ROWS } from './merge-entries.ts';
import type { LogQuery } from './read-log.ts';
import { useLog } from './use-log.ts';
import { useLogStatus } from './use-log-status.ts';

const TITLE = 'Activity Log';
const FILTERS = { read: readFilters, write: filtersQuery };

/** `/org/log`: the organization's activity, newest first, updated live. */
export const LogPage = organizationPage(TITLE, ActivityLog);

function ActivityLog({ organization }: { organization: Organization }) {
  const { search } = useLocation();
  const { filters, apply } = useFilters(FILTERS);
  const before = useMemo(() => readPlace(search), [search]);
  const { loaded, shown, reload, olderPage, announcement } = useLog(organization.id, filters, before);
  const status = useLogStatus(organization.orgId);
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
      <p className={styles.screen}>
        <InternalLink className={styles.target} to={pathname} query={{ before: placeText(last) }}>
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
      const entries = await readEveryEntry(store, query, job);
      const name = forFileName(`otp-guard-${organization.name}-log-entries.${kind}`);
      if (kind === 'csv') saveFile({ name, type: 'text/csv', parts: entriesAsCsv(entries) });
      else {
        const parts = entriesAsJson(entries, { organization: organization.name, filters });
        saveFile({ name, type: 'application/json', parts });
      }
      const count = `${entries.length.toLocaleString('en')} ${entries.length === 1 ? 'entry' : 'entries'}`;
      return `Saved ${count}. This list proves nothing: for an audit, an owner exports the whole log.`;
    });
  return (
    <div className={styles.save}>
      <Button look="secondary" busy={busy} onClick={() => save('csv')}>
        Save as CSV
      </Button>
      <Button look="secondary" busy={busy} onClick={() => save('json')}>
        Save as JSON
      </Button>
      <ExportProgress state={state} onCancel={cancel} />
    </div>
  );
}
