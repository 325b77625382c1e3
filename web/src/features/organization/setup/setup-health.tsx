import { useEffect, useRef, useState } from 'react';
import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Section } from '../section.tsx';
import { ShowMore } from '../show-more.tsx';
import { StatusRow } from '../status-row.tsx';
import { FullCheckRow } from './full-check-row.tsx';
import { PermissionsRow } from './permissions-row.tsx';
import { ProxyRow } from './proxy-row.tsx';
import { RepositoryRows } from './repository-rows.tsx';
import { RulesetRow } from './ruleset-row.tsx';
import styles from './setup.module.css';
import { SetupSkeleton } from './setup-skeleton.tsx';
import { NO_REPOSITORIES, setupSummary } from './summaries.ts';
import type { HealthState } from './use-health.ts';
import { WebhooksRow } from './webhooks-row.tsx';

export const SETUP_TITLE = 'Setup health';
export const SETUP_ID = 'setup';

/** What keeps the organization from being protected and how to fix it; for owners. */
export function SetupHealth({ state }: { state: HealthState }) {
  const { health, failure, busy } = state;
  const content = useRef<HTMLDivElement>(null);
  const { announcement, refresh, wasPressed } = useRefresh(state, content);
  return (
    <Section title={SETUP_TITLE} id={SETUP_ID} busy={!health && !failure}>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div ref={content} className={styles.setup} tabIndex={-1}>
        {failure && (
          <Banner key={failure.count} text={failure.text} calm={!wasPressed}>
            <Button look="secondary" busy={busy} onClick={refresh}>
              {busy ? 'Trying' : 'Try again'}
            </Button>
          </Banner>
        )}
        {!health && !failure && <SetupSkeleton />}
        {health && <Summary health={health} />}
        {health && !failure && (
          <p>
            <Button look="secondary" busy={busy} onClick={refresh}>
              {busy ? 'Checking' : 'Check again'}
            </Button>
          </p>
        )}
        {health && <Parts state={state} health={health} />}
      </div>
    </Section>
  );
}

/** Refreshes on request and announces the result. If the pressed button disappears, focus moves to the content. */
function useRefresh({ refresh }: HealthState, content: { current: HTMLElement | null }) {
  const { now } = useClient();
  const [wasPressed, setWasPressed] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const lostFocus = document.activeElement === document.body;
    if (announcement && lostFocus) content.current?.focus({ preventScroll: true });
  }, [announcement, content]);
  const press = async () => {
    setWasPressed(true);
    setAnnouncement('');
    const health = await refresh();
    if (health) setAnnouncement(`Checked. ${setupSummary(health, now()).text}`);
  };
  return { wasPressed, announcement, refresh: () => void press() };
}

function Summary({ health }: { health: OrganizationHealth }) {
  const { now } = useClient();
  const { status, text } = setupSummary(health, now());
  return (
    <StatusRow status={status}>
      <p className={styles.summary}>{text}</p>
    </StatusRow>
  );
}

function Parts({ state, health }: { state: HealthState; health: OrganizationHealth }) {
  const { permissions, webhooks, watchSeconds, sweep, rulesets, repositories, next } = health;
  const { settingsUrl } = permissions;
  return (
    <>
      <PermissionsRow permissions={permissions} />
      <WebhooksRow webhooks={webhooks} watchSeconds={watchSeconds} settingsUrl={settingsUrl} />
      {health.isProxyUnknown && <ProxyRow />}
      <FullCheckRow lastCheck={sweep} settingsUrl={settingsUrl} />
      <RulesetRow rulesets={rulesets} />
      {repositories.length > 0 ? (
        <RepositoryRows repositories={repositories} />
      ) : (
        <NoRepositories settingsUrl={settingsUrl} />
      )}
      <ShowMore nextPage={state.nextPage} hasMore={next !== null}>
        Show more
      </ShowMore>
    </>
  );
}

const NoRepositories = ({ settingsUrl }: { settingsUrl: string }) => (
  <StatusRow status="wrong">
    <p>{NO_REPOSITORIES}</p>
    <p>
      <GithubLink className={styles.link} href={settingsUrl} newTab>
        Choose repositories
      </GithubLink>
    </p>
  </StatusRow>
);
