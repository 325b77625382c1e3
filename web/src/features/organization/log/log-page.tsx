import { useLocation } from 'react-router-dom';
import { Banner } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { useRecordStore } from '../../../lib/react/record-store.ts';
import { useFilters } from '../../../lib/react/use-filters.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { exactTime } from '../../../lib/times.ts';
import { ExportProgress, useExport } from '../download/use-export.tsx';
import { ListCard } from '../list/list-card.tsx';
import { organizationPage } from '../organization-page.tsx';
import { PageLinks } from '../page-links.tsx';
import { NO_ACTIVITY } from './entry-text.ts';
import { entriesAsCsv, entriesAsJson, readEveryEntry } from './export-entries.ts';
import { filtersText, LOG_FILTERS, type LogFilters } from './filters.ts';
import styles from './log.module.css';
import { LogControls } from './log-controls.tsx';
import { LogList } from './log-list.tsx';
import { LogRowsSkeleton } from './log-row.tsx';
import { entries as entriesText, LogStatusLine } from './log-status.tsx';
import { type LogQuery, PAGE_SIZE } from './read-log.ts';
import { type LogPage as Page, useLog } from './use-log.ts';

const TITLE = 'Activity Log';
const NOT_LIVE = "New entries don't appear until the connection is back. Reload the page to see them now.";

/** `/org/log`: the organization's activity, newest first, updated live. */
export const LogPage = organizationPage(TITLE, ActivityLog);

function ActivityLog({ organization }: { organization: Organization }) {
  const { filters, apply } = useFilters(LOG_FILTERS);
  const { list, announcement, notLive } = useLog(organization.id, filters);
  const status = useAnswer('/organization-log', { orgID: organization.orgId });
  const { answer, pageNumber, busy } = list;
  const { entries = [] } = answer ?? {};
  const isFiltered = LOG_FILTERS.isFiltered(filters);
  const repositories = [...new Set(entries.flatMap(({ data }) => data.repo || []))].sort();
  return (
    <ListCard
      title={TITLE}
      list={list}
      count={answer && countText(answer, pageNumber, isFiltered)}
      intro={<LogStatusLine loaded={status.loaded} reload={status.reload} />}
      controls={
        <LogControls org={organization.id} filters={filters} apply={apply} repositories={repositories} />
      }
      action={<Links organization={organization} isFiltered={isFiltered} />}
      aboveRows={
        <>
          {notLive && <Banner text={`${notLive}\n${NOT_LIVE}`} calm />}
          <AboutEntries organization={organization} filters={filters} query={answer?.query} />
          {answer ? (
            entries.length > 0 && (
              <SaveEntries organization={organization} filters={filters} query={answer.query} />
            )
          ) : (
            <p className="target" />
          )}
          <p className="visually-hidden" role="status">
            {announcement}
          </p>
        </>
      }
      shown={entries.length}
    >
      <div className={styles.wide} aria-busy={busy || undefined}>
        {!answer && <LogRowsSkeleton count={6} />}
        {entries.length > 0 && <LogList entries={entries} organization={organization} />}
        {answer && entries.length === 0 && (
          <p>{isFiltered ? 'No matching activity. Change or clear the filters.' : NO_ACTIVITY}</p>
        )}
      </div>
    </ListCard>
  );
}

type Props = { organization: Organization; filters: LogFilters; query: LogQuery };

/** Saves every entry that the filters match, including entries that the page doesn't show. */
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

/** Other ways to read the log. */
function Links({ organization: { role }, isFiltered }: { organization: Organization; isFiltered: boolean }) {
  const { pathname } = useLocation();
  const query = LOG_FILTERS.write(LOG_FILTERS.none);
  const links = [
    isFiltered && { text: 'Clear filters', to: pathname, query },
    role === 'admin' && { text: 'Export the log or receipts', to: '/org/exports', query },
  ];
  return <PageLinks links={links.filter((link) => link !== false)} />;
}

type AboutEntriesProps = Pick<Props, 'organization' | 'filters'> & { query: LogQuery | undefined };

/** Says whose entries are left out. A print has the filters in words. */
function AboutEntries({ organization, filters, query }: AboutEntriesProps) {
  const by = query?.by;
  const text = filtersText(filters);
  return (
    <>
      {by && 'ids' in by && !by.areAll && (
        <p>
          More than 20 members match “{filters.person}”. These are the entries of 20 of them: type more of the
          login.
        </p>
      )}
      <p className={styles.printed}>
        The log of {organization.name}
        {text && `, filtered by ${text}`}. Printed on {exactTime(new Date().toISOString())}.
      </p>
    </>
  );
}

/** The exact number needs every entry to be read, so it's known only on the last page. */
export function countText(
  { entries, next }: Pick<Page, 'entries' | 'next'>,
  number: number,
  isFiltered: boolean,
) {
  const count = (number - 1) * PAGE_SIZE + entries.length;
  const noun = `${isFiltered ? 'matching ' : ''}${count === 1 ? 'entry' : 'entries'}`;
  return `${next ? 'More than ' : ''}${count.toLocaleString('en')} ${noun}`;
}
