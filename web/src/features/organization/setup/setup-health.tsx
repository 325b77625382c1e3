import { useEffect, useRef, useState } from 'react';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import type {
  OrganizationHealth,
  RepositoryCounts,
} from '../../../../../src/contract/organization-health.ts';
import { Banner } from '../../../components/card.tsx';
import { GithubLink, InternalLink, SecondaryButton } from '../../../components/controls.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Section } from '../section.tsx';
import { StatusRow } from '../status-row.tsx';
import { RulesetRow } from './ruleset-row.tsx';
import styles from './setup.module.css';
import {
  BackupRow,
  EnterpriseServerRow,
  FullCheckRow,
  PermissionsRow,
  ProxyRow,
  WebhooksRow,
} from './setup-rows.tsx';
import { allProblems, requiredSummary, setupSummary } from './summaries.ts';
import type { HealthState } from './use-health.ts';

const SETUP_TITLE = 'Setup health';
export const SETUP_ID = 'setup';

/** Shows what keeps the organization from being protected and how to fix it; for owners. */
export function SetupHealth({ state, answer }: { state: HealthState; answer: OrganizationAnswer | null }) {
  const { health, counts, failure, busy } = state;
  const content = useRef<HTMLDivElement>(null);
  const { announcement, refresh, wasPressed } = useRefresh(state, content);
  return (
    <Section title={SETUP_TITLE} id={SETUP_ID} busy={!health && !failure}>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      <div ref={content} className="stack gap-3" tabIndex={-1}>
        {failure && (
          <Banner key={failure.count} text={failure.text} calm={!wasPressed}>
            <SecondaryButton busy={busy} onClick={refresh}>
              {busy ? 'Trying' : 'Try again'}
            </SecondaryButton>
          </Banner>
        )}
        {!health && !failure && <SetupSkeleton />}
        {health && <Summary health={health} counts={counts} />}
        {health && !failure && (
          <p>
            <SecondaryButton busy={busy} onClick={refresh}>
              {busy ? 'Checking' : 'Check again'}
            </SecondaryButton>
          </p>
        )}
        {health && <Parts health={health} counts={counts} answer={answer} />}
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
    const read = await refresh();
    if (read) setAnnouncement(`Checked. ${setupSummary(read.health, read.counts, now()).text}`);
  };
  return { wasPressed, announcement, refresh: () => void press() };
}

type PartsProps = { counts: RepositoryCounts | null; answer: OrganizationAnswer | null };

/** Only for several problems: the verdict on top of the page says everything else, and names the first of them. */
function Summary({ health, counts }: { health: OrganizationHealth; counts: RepositoryCounts | null }) {
  const { now } = useClient();
  if (allProblems(health, counts, now()) < 2) return null;
  const { status, text } = setupSummary(health, counts, now());
  return (
    <StatusRow status={status}>
      <p className="bold">{text}</p>
    </StatusRow>
  );
}

function Parts({ health, counts, answer }: { health: OrganizationHealth } & PartsProps) {
  const { permissions, webhooks, watchSeconds, sweep, rulesets } = health;
  const { settingsUrl } = permissions;
  return (
    <>
      {counts && <RepositoriesRow counts={counts} settingsUrl={settingsUrl} />}
      <PermissionsRow permissions={permissions} />
      <WebhooksRow webhooks={webhooks} watchSeconds={watchSeconds} settingsUrl={settingsUrl} />
      {health.enterpriseServer && <EnterpriseServerRow server={health.enterpriseServer} />}
      {health.isProxyUnknown && <ProxyRow />}
      {health.backup && <BackupRow {...health.backup} />}
      <FullCheckRow lastCheck={sweep} settingsUrl={settingsUrl} />
      {answer && <HowToRequire answer={answer} />}
      <RulesetRow rulesets={rulesets} />
    </>
  );
}

const PARTS = [
  '487 of 500 repositories require the check.',
  'The App has the permissions it needs.',
  'Last webhook received 3 minutes ago.',
  'Last full check 3 minutes ago; nothing to fix.',
];

/** A placeholder as tall as the button and the parts. */
const SetupSkeleton = () => (
  <>
    <SkeletonLine className="target" like="Check again" />
    {PARTS.map((part) => (
      <SkeletonLine key={part} like={part} />
    ))}
    <SkeletonLine className="target" like="Require the check with a ruleset file" />
  </>
);

/** Explains how to make GitHub require the check. */
function HowToRequire({ answer: { name, accountType, role } }: { answer: OrganizationAnswer }) {
  const { config } = useClient();
  const rules = `${config.github}/organizations/${encodeURIComponent(name)}/settings/rules`;
  return (
    <details className={styles.rulesets}>
      <summary>How to require the check</summary>
      <p>
        In a ruleset or a branch protection rule, choose “Require status checks to pass”. Add the check{' '}
        <strong>OTP Guard</strong> and choose the OTP Guard App as its source. With any other source, someone
        else could report the check as passed. Also choose “Require a pull request before merging”: otherwise,
        a commit whose check passed for another branch can be pushed directly.
        {role === 'admin' && ' A ruleset file under Setup health already has all of it.'}
      </p>
      {role === 'admin' && accountType === 'Organization' && (
        <p>
          <GithubLink className="target" href={rules} newTab>
            Rulesets of {name}
          </GithubLink>
        </p>
      )}
    </details>
  );
}

/** How many repositories require the check, and the way to them. */
function RepositoriesRow({ counts, settingsUrl }: { counts: RepositoryCounts; settingsUrl: string }) {
  const { status, text } = requiredSummary(counts);
  return (
    <StatusRow status={status}>
      <p>{text}</p>
      <p>
        {counts.total === 0 ? (
          <GithubLink className="target" href={settingsUrl} newTab>
            Choose repositories
          </GithubLink>
        ) : (
          <InternalLink className="target" to="/org/repositories">
            All repositories
          </InternalLink>
        )}
      </p>
    </StatusRow>
  );
}
