import { useEffect, useRef, useState } from 'react';
import type { Finding } from '../../../../../src/contract/findings.ts';
import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { Banner } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { Ago, SkeletonLine } from '../../../components/text.tsx';
import { FindingLink, linkOf } from '../findings/finding-link.tsx';
import { setupSummary } from '../findings/verdict-of.ts';
import { paragraphsOf } from '../findings/words.ts';
import { Section } from '../section.tsx';
import { StatusRow } from '../status-row.tsx';
import { HowToRequire } from './ruleset-row.tsx';
import type { HealthState } from './use-health.ts';

const SETUP_TITLE = 'Setup health';

/** Shows what keeps the organization from being protected and how to fix it; for owners. */
export function SetupHealth({ state }: { state: HealthState }) {
  const { health, repositories, failure, busy } = state;
  const content = useRef<HTMLDivElement>(null);
  const { announcement, refresh, wasPressed } = useRefresh(state, content);
  return (
    <Section title={SETUP_TITLE} id="setup" busy={!health && !failure}>
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
        {health && !failure && (
          <p>
            <SecondaryButton busy={busy} onClick={refresh}>
              {busy ? 'Checking' : 'Check again'}
            </SecondaryButton>
          </p>
        )}
        {health && repositories && <Parts health={health} repositories={repositories} />}
      </div>
    </Section>
  );
}

/** Refreshes on request and announces the result. If the pressed button disappears, focus moves to the content. */
function useRefresh({ refresh }: HealthState, content: { current: HTMLElement | null }) {
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
    if (read) setAnnouncement(`Checked. ${setupSummary(read.health.findings, read.repositories)}`);
  };
  return { wasPressed, announcement, refresh: () => void press() };
}

type PartsProps = { health: OrganizationHealth; repositories: Finding[] };

/** The verdict on top of the page sums them up. */
function Parts({ health: { findings, settingsUrl, rulesets }, repositories }: PartsProps) {
  return (
    <>
      <RepositoriesRow findings={repositories} settingsUrl={settingsUrl} />
      {findings.map((finding) => (
        <FindingRow key={finding.id} finding={finding} settingsUrl={settingsUrl} />
      ))}
      <HowToRequire rulesets={rulesets} />
    </>
  );
}

function FindingRow({ finding, settingsUrl }: { finding: Finding; settingsUrl: string }) {
  const link = linkOf(finding);
  return (
    <StatusRow status={finding.status}>
      {paragraphsOf(finding).map((paragraph) => {
        if (typeof paragraph === 'string') return <p key={paragraph}>{paragraph}</p>;
        const [before, at, after] = paragraph;
        return (
          <p key={before}>
            {before}
            <Ago at={at} />
            {after}
          </p>
        );
      })}
      {link && (
        <p>
          <FindingLink {...link} settingsUrl={settingsUrl} />
        </p>
      )}
    </StatusRow>
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
    <SkeletonLine className="target" like="How to require the check" />
  </>
);

/** Shows how many repositories require the check, and links to them. */
function RepositoriesRow({ findings, settingsUrl }: { findings: Finding[]; settingsUrl: string }) {
  const [first] = findings;
  if (!first) return null;
  const link = linkOf(first) ?? { to: '/org/repositories', text: 'All repositories' };
  return (
    <StatusRow status={first.status}>
      <p>{findings.flatMap(paragraphsOf).join(' ')}</p>
      <p>
        <FindingLink {...link} settingsUrl={settingsUrl} />
      </p>
    </StatusRow>
  );
}
