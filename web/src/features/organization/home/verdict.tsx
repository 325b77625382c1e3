import type { LeftOpen } from '../../../../../src/contract/left-open.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Icon } from '../../../components/icon.tsx';
import { checkIcon } from '../../../components/icons.ts';
import { InternalLink } from '../../../components/internal-link.tsx';
import { alertIcon, infoIcon } from '../../../components/notice-icons.ts';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { CheckProgress } from '../repositories/check-progress.tsx';
import { SETUP_ID } from '../setup/setup-health.tsx';
import type { HealthState } from '../setup/use-health.ts';
import styles from './home.module.css';
import { type Verdict as Result, verdictOf } from './verdict-of.ts';

const ICONS = { good: checkIcon, wrong: alertIcon, unknown: infoIcon };

type Props = {
  /** Null while it loads. */
  answer: OrganizationAnswer | null;
  setup: HealthState;
};

/** Whether the organization is protected, what to do if it isn't, and what it leaves open; for owners. */
export function Verdict({ answer, setup: { health, counts, failure } }: Props) {
  const { now } = useClient();
  const isKnown = answer && (answer.installation.suspended || health || failure);
  if (!isKnown) return <VerdictSkeleton />;
  const { installation } = answer;
  const leftOpen = answer.leftOpen ?? [];
  const { status, title, text, link } = verdictOf({ installation, health, counts, leftOpen }, now());
  return (
    <div className={`${styles.verdict} ${styles[status]}`}>
      <Icon path={ICONS[status]} size="large" />
      <div>
        <div className={styles.outcome}>
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
          {link && <Way link={link} settingsUrl={installation.settingsUrl} />}
        </div>
        {counts && <CheckProgress counts={counts} />}
        {leftOpen.length > 0 && <LeftOpenList leftOpen={leftOpen} />}
      </div>
    </div>
  );
}

/** What the organization leaves open, each with the page on which an owner changes it. */
const LeftOpenList = ({ leftOpen }: { leftOpen: LeftOpen[] }) => (
  <ul className={styles.leftOpen} aria-label="Left open">
    {leftOpen.map(({ part, text }) => (
      <li key={part}>
        <span>{text}</span>
        {part === 'members' ? (
          <InternalLink className={styles.link} to="/org/members" query={{ state: 'missing' }}>
            Show them
          </InternalLink>
        ) : (
          <InternalLink className={styles.link} to="/org/policy">
            Policy<span className="visually-hidden"> that decides it: {text}</span>
          </InternalLink>
        )}
      </li>
    ))}
  </ul>
);

function Way({
  link: { to, text },
  settingsUrl,
}: {
  link: NonNullable<Result['link']>;
  settingsUrl: string;
}) {
  if (to === 'installation') {
    return (
      <GithubLink className={styles.link} href={settingsUrl} newTab>
        {text}
      </GithubLink>
    );
  }
  if (to === 'setup') {
    return (
      <a className={styles.link} href={`#${SETUP_ID}`}>
        {text}
      </a>
    );
  }
  return (
    <InternalLink className={styles.link} to="/org/repositories" query={{ state: to }}>
      {text}
    </InternalLink>
  );
}

const VerdictSkeleton = () => (
  <div className={styles.verdict}>
    <div>
      <p className={styles.verdictTitle}>
        <Skeleton like="Not enforced in 3 repositories" />
      </p>
      <p>
        <Skeleton like="Merges there don't wait for OTP Guard. Require its check." />
      </p>
    </div>
  </div>
);
