import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Section } from '../section.tsx';
import { SETUP_ID, SETUP_TITLE } from '../setup/setup-health.tsx';
import { requiredSummary, setupSummary } from '../setup/summaries.ts';
import type { HealthState } from '../setup/use-health.ts';
import { StatusRow } from '../status-row.tsx';
import styles from './home.module.css';
import { coverageSummary, coverageText } from './home-texts.ts';
import { HowToRequire } from './how-to-require.tsx';

const BLOCKED = 'Merges are blocked only where the check is required.';

type Props = { answer: OrganizationAnswer };
type ProtectionProps = {
  answer: OrganizationAnswer | null;
  /** What only owners may see; null for members. */
  setup: HealthState | null;
};

/** Which pull requests OTP Guard checks, and which repositories require the check. */
export function Protection({ answer, setup }: ProtectionProps) {
  return (
    <Section title="Protection">
      {answer ? <Coverage answer={answer} health={setup?.health ?? null} /> : <CoverageSkeleton />}
      {setup && <Required setup={setup} />}
      {answer && <HowToRequire answer={answer} />}
    </Section>
  );
}

function Coverage({ answer, health }: Props & { health: OrganizationHealth | null }) {
  const { installation } = answer;
  const { status, text } = coverageSummary(installation, health);
  return (
    <>
      {installation.suspended ? (
        <Suspended answer={answer} />
      ) : (
        <StatusRow status={status}>
          <p>{text}</p>
        </StatusRow>
      )}
      <p>{BLOCKED}</p>
    </>
  );
}

const CoverageSkeleton = () => (
  <>
    <p>
      <Skeleton like="OTP Guard checks every pull request in every repository." />
    </p>
    <p>
      <Skeleton like={BLOCKED} />
    </p>
  </>
);

/** How many repositories require the check, and a link to the setup health below. */
function Required({ setup: { health, failure } }: { setup: HealthState }) {
  const { now } = useClient();
  const { status, text } = requiredSummary(health);
  return (
    <>
      <div className={styles.required}>
        {health || failure ? (
          <StatusRow status={status}>
            <p>{text}</p>
          </StatusRow>
        ) : (
          <p>
            <Skeleton like="3 of 10 repositories shown require the check, 1 of them from any source." />
          </p>
        )}
      </div>
      <p>
        <a className={styles.link} href={`#${SETUP_ID}`}>
          {health ? `${SETUP_TITLE}: ${setupSummary(health, now()).text}` : SETUP_TITLE}
        </a>
      </p>
    </>
  );
}

const Suspended = ({ answer: { installation, role } }: Props) => (
  <Notice look="warning">
    <p>{coverageText(installation)}</p>
    {role === 'admin' ? (
      <p>
        <GithubLink className={styles.link} href={installation.settingsUrl} newTab>
          Unsuspend it on GitHub
        </GithubLink>
      </p>
    ) : (
      <p>Ask an owner to unsuspend it.</p>
    )}
  </Notice>
);
