import type { ReactNode } from 'react';
import type { Finding, RepositoryCounts } from '../../../../../src/contract/findings.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Icon } from '../../../components/icon.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { aroundIn } from '../bypass-texts.ts';
import { FindingLink, type Link, stepsOf } from '../findings/finding-link.tsx';
import { verdictOf } from '../findings/verdict-of.ts';
import { countsIn, paragraphsOf } from '../findings/words.ts';
import type { HealthState } from '../setup/use-health.ts';
import { ICONS, StatusRow } from '../status-row.tsx';
import { SeeCommand } from '../who.tsx';
import { AroundList } from './around-list.tsx';
import styles from './home.module.css';

type Props = {
  /** Null while it loads. */
  answer: OrganizationAnswer | null;
  setup: HealthState;
  /** The part after the verdict itself, before its reasons. */
  children: ReactNode;
};

/** Shows owners whether the organization is protected, what to do if it isn't, and what it leaves open. */
export function Verdict({ answer, setup, children }: Props) {
  const { health, repositories, failure } = setup;
  const isKnown = answer && (answer.installation.suspended || health || failure);
  if (!isKnown) return <VerdictSkeleton />;
  const { settingsUrl, suspended, repositorySelection } = answer.installation;
  const choices = answer.findings ?? [];
  const counts = countsIn(repositories);
  const around = setup.around && aroundIn(setup.around);
  const isSelected = repositorySelection === 'selected';
  const { status, title, text, hasCommand, link } = verdictOf({
    setup: health?.findings ?? null,
    repositories,
    choices,
    around,
    isSelected,
  });
  return (
    <div className={`${styles.verdict} ${styles[status]}`}>
      <Icon path={ICONS[status]} size="large" />
      <div>
        <div className={styles.outcome}>
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
            {hasCommand && <SeeCommand org={answer.name} />}
          </div>
          {link && <FindingLink {...link} settingsUrl={settingsUrl} />}
        </div>
        {children}
        {counts && <CheckProgress counts={counts} />}
        {counts && around && <AroundList around={around} counts={counts} />}
        {!suspended && <Choices findings={choices.filter(({ id }) => id !== 'weakened')} />}
        {repositories && (
          <NextSteps steps={stepsOf([...repositories, ...choices])} settingsUrl={settingsUrl} />
        )}
      </div>
    </div>
  );
}

/** The owner's next steps, in this order. */
function NextSteps({ steps, settingsUrl }: { steps: Link[]; settingsUrl: string }) {
  if (steps.length === 0) return null;
  return (
    <section className={styles.protection} aria-labelledby="next">
      <h3 id="next">What to do next</h3>
      <ol>
        {steps.map((step) => (
          <li key={step.text}>
            <FindingLink {...step} settingsUrl={settingsUrl} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Shows what else is protected and what is open, and who decided that. */
function Choices({ findings }: { findings: Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={styles.protection} aria-label="Beyond the check">
      {findings.map((finding) => {
        const [text, decision] = paragraphsOf(finding);
        return (
          <li key={finding.id}>
            <StatusRow status={finding.status}>
              <p>{text}</p>
              {decision && <p className="quiet">{decision}</p>}
            </StatusRow>
          </li>
        );
      })}
    </ul>
  );
}

const ROWS = [
  ...[
    'A GitHub sign-in is enough for one.',
    'Authors can approve their own.',
    'Members without an authenticator',
  ],
  ...['What to do next', 'Require the check in 3 repositories', 'Ask 2 members to register an authenticator'],
];

const VerdictSkeleton = () => (
  <div className={styles.verdict}>
    <div>
      <SkeletonLine className={styles.verdictTitle} like="Not enforced in 3 repositories" />
      <SkeletonLine like="Merges there don't wait for OTP Guard. Require its check." />
      <SkeletonLine like="A second line of what it means, and what to do." />
      <div className="stack gap-1">
        {ROWS.map((row) => (
          <SkeletonLine key={row} className="target" like={row} />
        ))}
      </div>
    </div>
  </div>
);

/** Shows how many repositories we've checked so far; nothing once all are. */
function CheckProgress({ counts: { total, unchecked } }: { counts: RepositoryCounts }) {
  if (unchecked === 0 || total === 0) return null;
  const checked = total - unchecked;
  const text = `${checked} of ${total} repositories checked so far.`;
  return (
    <div className={`stack gap-1 quiet ${styles.checked}`}>
      <progress aria-label="Repositories checked" value={checked} max={total} />
      <p>{text} GitHub limits how many we can check in a minute.</p>
    </div>
  );
}
