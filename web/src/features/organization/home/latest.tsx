import { useCallback } from 'react';
import { Button } from '../../../components/button.tsx';
import { KeptLink } from '../../../components/kept-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import type { Organization } from '../../../lib/user.ts';
import { LogList } from '../log/log-list.tsx';
import { EntriesSkeleton } from '../log/log-skeleton.tsx';
import { readOlder } from '../log/read-log.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';

const COUNT = 5;

/** What happened last, and the way to the whole log. */
export function Latest({ organization }: { organization: Organization }) {
  const { store } = useClient();
  const { loaded, reload } = useLoaded(
    useCallback(
      () => readOlder(store, { org: organization.id, kind: '', by: null }, undefined, COUNT),
      [store, organization.id],
    ),
  );
  return (
    <Section title="Latest">
      {loaded.status === 'awaiting' && <EntriesSkeleton count={COUNT} />}
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
      {loaded.status === 'ok' && loaded.value.length === 0 && (
        <p>Nothing yet. Who registers an authenticator or approves a pull request appears here.</p>
      )}
      {loaded.status === 'ok' && <LogList entries={loaded.value} organization={organization} heading="h3" />}
      <p>
        <KeptLink className={styles.link} to="/org/log" query={organizationQuery(organization)}>
          All activity
        </KeptLink>
      </p>
    </Section>
  );
}
