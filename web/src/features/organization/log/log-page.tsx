import { type ReactNode, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { KeptLink } from '../../../components/kept-link.tsx';
import { keepQuery } from '../../../lib/page-context.ts';
import type { Organization } from '../../../lib/user.ts';
import { More } from '../more.tsx';
import { OfOrganization } from '../of-organization.tsx';
import { FilterForm } from './filter-form.tsx';
import styles from './log.module.css';
import { filterQuery, isFiltered, type LogFilter, readLogFilter } from './log-filter.ts';
import { LogList } from './log-list.tsx';
import { EntriesSkeleton } from './log-skeleton.tsx';
import { useLog } from './use-log.ts';

const TITLE = 'Activity Log';

/** `/org/log`: what was done in the organization, newest first, and as it happens. */
export const LogPage = () => (
  <OfOrganization title={TITLE} wide>
    {(organization) => <ActivityLog key={organization.id} organization={organization} />}
  </OfOrganization>
);

function ActivityLog({ organization }: { organization: Organization }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const filter = useMemo(() => readLogFilter(search), [search]);
  const { loaded, reload, older, heard } = useLog(organization.id, filter);
  const banner = loaded.status === 'failed' && (
    <Banner text={loaded.text}>
      <Button look="secondary" onClick={reload}>
        Try again
      </Button>
    </Banner>
  );
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={banner}>
      <FilterForm
        org={organization.id}
        filter={filter}
        onChange={(next) => void navigate(keepQuery(pathname, search, filterQuery(next)))}
      />
      <p className={styles.state}>
        {isFiltered(filter) ? 'Filtered' : 'All entries'}
        {isFiltered(filter) && (
          <KeptLink to={pathname} query={filterQuery({ person: '', kind: '' })}>
            Clear
          </KeptLink>
        )}
      </p>
      <p className="visually-hidden" role="status">
        {heard}
      </p>
      <div className={styles.wide}>
        {loaded.status === 'awaiting' && <EntriesSkeleton count={6} />}
        {loaded.status === 'ok' &&
          (loaded.value.entries.length > 0 ? (
            <LogList entries={loaded.value.entries} organization={organization} />
          ) : (
            <Nothing filter={filter} />
          ))}
      </div>
      {loaded.status === 'ok' && (
        <More state={older} more={loaded.value.older}>
          Older entries
        </More>
      )}
    </Card>
  );
}

function Nothing({ filter }: { filter: LogFilter }): ReactNode {
  if (isFiltered(filter)) return <p>Nothing matches. Choose another person or kind, or clear both.</p>;
  return <p>Nothing yet. Who registers an authenticator or approves a pull request appears here.</p>;
}
