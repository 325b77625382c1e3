import type { ReactNode } from 'react';
import type { OrganizationAnswer, ProtectionPart } from '../../../../../src/contract/organization.ts';
import type { RepositoryCounts } from '../../../../../src/contract/organization-health.ts';
import { GithubLink, InternalLink } from '../../../components/controls.tsx';
import { checkIcon, Icon } from '../../../components/icon.tsx';
import { alertIcon, infoIcon } from '../../../components/notice-icons.ts';
import { SkeletonLine } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { aroundIn } from '../bypass-texts.ts';
import { SETUP_ID } from '../setup/setup-health.tsx';
import type { HealthState } from '../setup/use-health.ts';
import { type Status, StatusRow } from '../status-row.tsx';
import { SeeCommand } from '../who.tsx';
import { AroundList } from './around-list.tsx';
import styles from './home.module.css';
import { type NextStep, nextSteps } from './next-steps.ts';
import { type Verdict as Result, verdictOf } from './verdict-of.ts';

const ICONS = { good: checkIcon, wrong: alertIcon, unknown: infoIcon };

type Props = {
  /** Null while it loads. */
  answer: OrganizationAnswer | null;
  setup: HealthState;
  /** The part after the verdict itself, before its reasons. */
  children: ReactNode;
};

/** Whether the organization is protected, what to do if it isn't, and what it leaves open; for owners. */
export function Verdict({ answer, setup, children }: Props) {
  const { now } = useClient();
  const { health, counts, failure } = setup;
  const isKnown = answer && (answer.installation.suspended || health || failure);
  if (!isKnown) return <VerdictSkeleton />;
  const { installation } = answer;
  const protection = answer.protection ?? [];
  const around = setup.around && aroundIn(setup.around);
  const weakened = answer.weakeningsTotal ?? 0;
  const known = { installation, health, counts, around, protection, weakened };
  const { status, title, text, hasCommand, link } = verdictOf(known, now());
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
          {link && <Way link={link} settingsUrl={installation.settingsUrl} />}
        </div>
        {children}
        {counts && <CheckProgress counts={counts} />}
        {counts && around && <AroundList around={around} counts={counts} />}
        {protection.length > 0 && <Protection parts={protection} />}
        {counts && <NextSteps steps={nextSteps({ counts, members: answer.members, protection })} />}
      </div>
    </div>
  );
}

/** The owner's next steps, in this order. */
function NextSteps({ steps }: { steps: NextStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section className={styles.protection} aria-labelledby="next">
      <h3 id="next">What to do next</h3>
      <ol>
        {steps.map(({ text, ...link }) => (
          <li key={text}>
            <InternalLink className="target" {...link}>
              {text}
            </InternalLink>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Shows what else is protected and what is open. */
const Protection = ({ parts }: { parts: ProtectionPart[] }) => (
  <ul className={styles.protection} aria-label="Beyond the check">
    {parts.map((part) => (
      <li key={part.part}>
        <StatusRow status={statusOf(part)}>
          <p>{part.text}</p>
          {part.decision && <p className="quiet">{part.decision}</p>}
        </StatusRow>
      </li>
    ))}
  </ul>
);

function statusOf({ isOpen, isSettled }: ProtectionPart): Status {
  if (!isOpen) return 'good';
  return isSettled ? 'unknown' : 'wrong';
}

function Way({
  link: { to, text },
  settingsUrl,
}: {
  link: NonNullable<Result['link']>;
  settingsUrl: string;
}) {
  if (to === 'installation') {
    return (
      <GithubLink className="target" href={settingsUrl} newTab>
        {text}
      </GithubLink>
    );
  }
  if (to === 'setup') {
    return (
      <a className="target" href={`#${SETUP_ID}`}>
        {text}
      </a>
    );
  }
  return (
    <InternalLink className="target" to="/org/repositories" query={{ state: to }}>
      {text}
    </InternalLink>
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

/** How many repositories we've checked so far; nothing once all are. */
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
