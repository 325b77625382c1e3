import { useEffect, useRef, useState } from 'react';
import type { OrganizationHealth } from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Marked } from '../marked.tsx';
import { More } from '../more.tsx';
import { Section } from '../section.tsx';
import { verdict } from './findings.ts';
import { Permissions, Sweep, Webhooks } from './parts.tsx';
import { RepositoryRows } from './repository-rows.tsx';
import styles from './setup.module.css';
import { SetupSkeleton } from './setup-skeleton.tsx';
import type { HealthState } from './use-health.ts';

export const SETUP_TITLE = 'Is it set up right?';
export const SETUP_ID = 'setup';

/** What keeps the organization from being protected, and what to do about it; for owners. */
export function Setup({ state }: { state: HealthState }) {
  const { health, failure, busy } = state;
  const place = useRef<HTMLDivElement>(null);
  const { heard, look, pressed } = useLook(state, place);
  return (
    <Section title={SETUP_TITLE} id={SETUP_ID} busy={!health && !failure}>
      <p className="visually-hidden" role="status">
        {heard}
      </p>
      <div ref={place} className={styles.setup} tabIndex={-1}>
        {failure && (
          <Banner key={failure.count} text={failure.text} calm={!pressed}>
            <Button look="secondary" busy={busy} onClick={look}>
              {busy ? 'Trying' : 'Try again'}
            </Button>
          </Banner>
        )}
        {!health && !failure && <SetupSkeleton />}
        {health && <Verdict health={health} />}
        {health && !failure && (
          <p>
            <Button look="secondary" busy={busy} onClick={look}>
              {busy ? 'Checking' : 'Check again'}
            </Button>
          </p>
        )}
        {health && <Findings state={state} health={health} />}
      </div>
    </Section>
  );
}

/** Looks when the person asks for it. Who listens hears what came of it, and the focus is not lost with a button. */
function useLook({ look }: HealthState, place: { current: HTMLElement | null }) {
  const { now } = useClient();
  const [pressed, setPressed] = useState(false);
  const [heard, setHeard] = useState('');
  useEffect(() => {
    if (heard && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [heard, place]);
  const press = async () => {
    setPressed(true);
    setHeard('');
    const health = await look();
    if (health) setHeard(`Checked. ${verdict(health, now()).text}`);
  };
  return { pressed, heard, look: () => void press() };
}

function Verdict({ health }: { health: OrganizationHealth }) {
  const { now } = useClient();
  const { mark, text } = verdict(health, now());
  return (
    <Marked mark={mark}>
      <p className={styles.verdict}>{text}</p>
    </Marked>
  );
}

function Findings({ state, health }: { state: HealthState; health: OrganizationHealth }) {
  const { permissions, webhooks, sweep, repositories, next } = health;
  const { settingsUrl } = permissions;
  return (
    <>
      <Permissions permissions={permissions} />
      <Webhooks webhooks={webhooks} settingsUrl={settingsUrl} />
      <Sweep sweep={sweep} settingsUrl={settingsUrl} />
      {repositories.length > 0 ? (
        <RepositoryRows repositories={repositories} />
      ) : (
        <Marked mark="wrong">
          <p>The App was given no repository.</p>
          <p>
            <GithubLink className={styles.link} href={settingsUrl} beside>
              Choose repositories
            </GithubLink>
          </p>
        </Marked>
      )}
      <More state={state.more} more={next !== null}>
        Show more
      </More>
    </>
  );
}
