import { useCallback } from 'react';
import { Button } from '../../../components/button.tsx';
import { InternalLink } from '../../../components/internal-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { useRecordStore } from '../../../lib/record-store.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import type { Organization } from '../../../lib/user.ts';
import { NO_ACTIVITY } from '../log/entry-text.ts';
import { LogList } from '../log/log-list.tsx';
import { LogRowsSkeleton } from '../log/log-row.tsx';
import { readOlder } from '../log/read-log.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';

const COUNT = 5;

/** The newest entries of the activity log, with a link to all of it. */
export function RecentActivity({ organization }: { organization: Organization }) {
  const store = useRecordStore();
  const { loaded, reload } = useLoaded(
    useCallback(() => readOlder(store, { org: organization.id }, undefined, COUNT), [store, organization.id]),
  );
  return (
    <Section title="Recent activity">
      {loaded.status === 'awaiting' && <LogRowsSkeleton count={COUNT} />}
      {loaded.status === 'failed' && (
        <>
          <p role="status">{loaded.text}</p>
          <p>
            <Button look="secondary" onClick={reload}>
              Try again
            </Button>
          </p>
        </>
      )}
      {loaded.status === 'ok' && loaded.value.length === 0 && <p>{NO_ACTIVITY}</p>}
      {loaded.status === 'ok' && <LogList entries={loaded.value} organization={organization} heading="h3" />}
      <p>
        <InternalLink className={styles.link} to="/org/log" query={organizationQuery(organization)}>
          All activity
        </InternalLink>
      </p>
    </Section>
  );
}
