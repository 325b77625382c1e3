import type { OrganizationAnswer, OrganizationHealth } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Marked } from '../marked.tsx';
import { Section } from '../section.tsx';
import { requiredSummary, verdict } from '../setup/findings.ts';
import { SETUP_ID, SETUP_TITLE } from '../setup/setup.tsx';
import type { HealthState } from '../setup/use-health.ts';
import styles from './home.module.css';
import { checkedSummary, protectionSentence } from './words.ts';

type ProtectionProps = {
  answer: OrganizationAnswer | null;
  /** What an owner may know besides; null for others. */
  setup: HealthState | null;
};

/** Whether pull requests are checked, and what it takes for the check to hold a merge back. */
export function Protection({ answer, setup }: ProtectionProps) {
  return (
    <Section title="Protection">
      {answer ? <Checked answer={answer} health={setup?.health ?? null} /> : <CheckedSkeleton />}
      {setup && <RequiredWhere setup={setup} />}
      {answer && <HowToRequire answer={answer} />}
    </Section>
  );
}

type Props = { answer: OrganizationAnswer };

function Checked({ answer, health }: Props & { health: OrganizationHealth | null }) {
  const { installation } = answer;
  const { mark, text } = checkedSummary(installation, health);
  return (
    <>
      {installation.suspended ? (
        <Suspended answer={answer} />
      ) : (
        <Marked mark={mark}>
          <p>{text}</p>
        </Marked>
      )}
      <p>The check holds a merge back only where it is required.</p>
    </>
  );
}

const CheckedSkeleton = () => (
  <>
    <p>
      <Skeleton like="Every pull request in every repository is checked." />
    </p>
    <p>
      <Skeleton like="The check holds a merge back only where it is required." />
    </p>
  </>
);

/** Where it is required, as far as that is known, and the way to all that is known. */
function RequiredWhere({ setup: { health, failure } }: { setup: HealthState }) {
  const { now } = useClient();
  const { mark, text } = requiredSummary(health);
  return (
    <>
      <div className={styles.required}>
        {health || failure ? (
          <Marked mark={mark}>
            <p>{text}</p>
          </Marked>
        ) : (
          <p>
            <Skeleton like="3 of 10 repositories shown require the check, 1 from any source. Not known: 2." />
          </p>
        )}
      </div>
      <p>
        <a className={styles.link} href={`#${SETUP_ID}`}>
          {SETUP_TITLE} {health && verdict(health, now()).text}
        </a>
      </p>
    </>
  );
}

const Suspended = ({ answer: { installation, role } }: Props) => (
  <Notice look="warning">
    <p>{protectionSentence(installation)}</p>
    {role === 'admin' ? (
      <p>
        <GithubLink className={styles.link} href={installation.settingsUrl} beside>
          Unsuspend it on GitHub
        </GithubLink>
      </p>
    ) : (
      <p>Ask an owner to unsuspend it.</p>
    )}
  </Notice>
);

function HowToRequire({ answer: { name, accountType, role } }: Props) {
  const { config } = useClient();
  const rules = `${config.github}/organizations/${encodeURIComponent(name)}/settings/rules`;
  return (
    <details className={styles.details}>
      <summary>How to require it</summary>
      <p>
        In a ruleset or a branch protection rule, choose “Require status checks to pass”. Add the check{' '}
        <strong>OTP Guard</strong>, with the OTP Guard App as its source: from any other source it could be
        reported by somebody else.
      </p>
      {role === 'admin' && accountType === 'Organization' && (
        <p>
          <GithubLink className={styles.link} href={rules} beside>
            Rulesets of {name}
          </GithubLink>
        </p>
      )}
    </details>
  );
}
