import { lazy, Suspense, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { Card } from '../../../components/card.tsx';
import { InternalLink } from '../../../components/internal-link.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { keepQuery } from '../../../lib/page-context.ts';
import type { Organization } from '../../../lib/user.ts';
import { RequireOrganization } from '../require-organization.tsx';
import { ShowMore } from '../show-more.tsx';
import { NO_ACTIVITY } from './entry-text.ts';
import { FilterForm } from './filter-form.tsx';
import { filtersQuery, isFiltered, readFilters } from './filters.ts';
import styles from './log.module.css';
import { LogList } from './log-list.tsx';
import { LogRowsSkeleton } from './log-row.tsx';
import { LogStatusLine } from './log-status.tsx';
import { useLog } from './use-log.ts';
import { useLogStatus } from './use-log-status.ts';

const Exports = lazy(() => import('../exports/exports.tsx'));

const TITLE = 'Activity Log';

/** `/org/log`: the organization's activity, newest first, updated live. */
export const LogPage = () => (
  <RequireOrganization title={TITLE} wide>
    {(organization) => <ActivityLog key={organization.id} organization={organization} />}
  </RequireOrganization>
);

function ActivityLog({ organization }: { organization: Organization }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const filters = useMemo(() => readFilters(search), [search]);
  const { loaded, reload, olderPage, announcement } = useLog(organization.id, filters);
  const status = useLogStatus(organization.orgId);
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={loadFailure(loaded, reload)}>
      <LogStatusLine loaded={status.loaded} reload={status.reload} />
      {organization.role === 'admin' && (
        <ExportPart
          organization={organization}
          status={status.loaded.status === 'ok' ? status.loaded.value : null}
        />
      )}
      <FilterForm
        org={organization.id}
        filters={filters}
        onChange={(next) => void navigate(keepQuery(pathname, search, filtersQuery(next)))}
      />
      <FilterState filtered={isFiltered(filters)} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div className={styles.wide}>
        {loaded.status === 'awaiting' && <LogRowsSkeleton count={6} />}
        {loaded.status === 'ok' &&
          (loaded.value.entries.length > 0 ? (
            <LogList entries={loaded.value.entries} organization={organization} />
          ) : (
            <p>{isFiltered(filters) ? 'No matching activity. Change or clear the filters.' : NO_ACTIVITY}</p>
          ))}
      </div>
      {loaded.status === 'ok' && (
        <ShowMore nextPage={olderPage} hasMore={loaded.value.hasOlder}>
          Show older
        </ShowMore>
      )}
    </Card>
  );
}

type ExportProps = { organization: Organization; status: LogStatus | null };

/** For owners, who need it rarely: it's loaded once it's opened. */
function ExportPart(props: ExportProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && setIsOpen(true)}>
      <summary>Export the log or receipts</summary>
      {isOpen && (
        <Suspense>
          <Exports {...props} />
        </Suspense>
      )}
    </details>
  );
}

function FilterState({ filtered }: { filtered: boolean }) {
  const { pathname } = useLocation();
  return (
    <p className={styles.state}>
      {filtered ? 'Filtered' : 'All entries'}
      {filtered && (
        <InternalLink to={pathname} query={filtersQuery({ person: '', kind: '' })}>
          Clear filters
        </InternalLink>
      )}
      <InternalLink to="/verify">Verify a receipt or an export</InternalLink>
    </p>
  );
}
