import { useEffect, useRef, useState } from 'react';
import type {
  OrganizationHealth,
  RepositoryCounts,
} from '../../../../../src/contract/organization-health.ts';
import { Banner } from '../../../components/card.tsx';
import { GithubLink, InternalLink, SecondaryButton } from '../../../components/controls.tsx';
import { Ago, SkeletonLine } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { Section } from '../section.tsx';
import { StatusRow } from '../status-row.tsx';
import { HowToRequire } from './ruleset-row.tsx';
import { type SetupPart, setupParts } from './setup-parts.ts';
import { requiredSummary, setupSummary } from './summaries.ts';
import type { HealthState } from './use-health.ts';

const SETUP_TITLE = 'Setup health';
export const SETUP_ID = 'setup';

/** Shows what keeps the organization from being protected and how to fix it; for owners. */
export function SetupHealth({ state }: { state: HealthState }) {
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
        {health && !failure && (
          <p>
            <SecondaryButton busy={busy} onClick={refresh}>
              {busy ? 'Checking' : 'Check again'}
            </SecondaryButton>
          </p>
        )}
        {health && <Parts health={health} counts={counts} />}
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

type PartsProps = { health: OrganizationHealth; counts: RepositoryCounts | null };

/** The verdict on top of the page sums them up. */
function Parts({ health, counts }: PartsProps) {
  const { now } = useClient();
  return (
    <>
      {counts && <RepositoriesRow counts={counts} settingsUrl={health.permissions.settingsUrl} />}
      {setupParts(health, now()).map((part) => (
        <PartRow key={part.name} part={part} />
      ))}
      <HowToRequire rulesets={health.rulesets} />
    </>
  );
}

const PartRow = ({ part: { status, paragraphs, link } }: { part: SetupPart }) => (
  <StatusRow status={status}>
    {paragraphs.map((paragraph) => {
      if (!paragraph) return null;
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
        <GithubLink className="target" href={link.href} newTab>
          {link.text}
        </GithubLink>
      </p>
    )}
  </StatusRow>
);

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
