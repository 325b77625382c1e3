import { useEffect, useRef, useState } from 'react';
import type { Finding } from '../../../../../src/contract/findings.ts';
import { Banner } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { Ago } from '../../../components/text.tsx';
import { FindingLink, linkOf } from '../findings/finding-link.tsx';
import { setupSummary } from '../findings/verdict-of.ts';
import { paragraphsOf } from '../findings/words.ts';
import { StatusRow } from '../status-row.tsx';
import type { HealthState } from './use-health.ts';

type Props = {
  state: HealthState;
  /** A part that the page shows elsewhere. */
  except: Finding | null;
};

/** Says in a line whether the installation and this server are in order, and unfolds to each part; for owners. */
export function SetupHealth({ state, except }: Props) {
  const { health, failure, busy } = state;
  const content = useRef<HTMLDivElement>(null);
  const { announcement, refresh, wasPressed } = useRefresh(state, content);
  return (
    <div ref={content} id="setup" tabIndex={-1}>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {failure && (
        <Banner key={failure.count} text={failure.text} calm={!wasPressed}>
          <SecondaryButton busy={busy} onClick={refresh}>
            {busy ? 'Trying' : 'Try again'}
          </SecondaryButton>
        </Banner>
      )}
      {health && !failure && (
        <details open={health.findings.some(({ status }) => status === 'failing')}>
          <summary>Setup health: {setupSummary(health.findings)}</summary>
          <div className="stack gap-3">
            {health.findings
              .filter((finding) => finding !== except)
              .map((finding) => (
                <FindingRow key={finding.id} finding={finding} settingsUrl={health.settingsUrl} />
              ))}
            <p>
              <SecondaryButton busy={busy} onClick={refresh}>
                {busy ? 'Checking' : 'Check again'}
              </SecondaryButton>
            </p>
          </div>
        </details>
      )}
    </div>
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
    if (read) setAnnouncement(`Checked. ${setupSummary(read.health.findings)}`);
  };
  return { wasPressed, announcement, refresh: () => void press() };
}

type FindingProps = { finding: Finding; settingsUrl: string };

const FindingRow = (props: FindingProps) => (
  <StatusRow status={props.finding.status}>
    <FindingText {...props} />
  </StatusRow>
);

/** A finding's paragraphs, and a link to what there is to do. */
export function FindingText({ finding, settingsUrl }: FindingProps) {
  const link = linkOf(finding);
  return (
    <>
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
    </>
  );
}
