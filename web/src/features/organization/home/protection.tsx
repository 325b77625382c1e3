import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Notice } from '../../../components/notice.tsx';
import { done } from '../../../components/outlines.ts';
import { Skeleton } from '../../../components/skeleton.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Section } from '../section.tsx';
import styles from './home.module.css';
import { protectionSentence } from './words.ts';

/** Whether pull requests are checked, and what it takes for the check to hold a merge back. */
export function Protection({ answer }: { answer: OrganizationAnswer | null }) {
  if (!answer) {
    return (
      <Section title="Protection">
        <p>
          <Skeleton like="Every pull request in every repository is checked." />
        </p>
        <p>
          <Skeleton like="The check holds a merge back only where it is required." />
        </p>
      </Section>
    );
  }
  return (
    <Section title="Protection">
      {answer.installation.suspended ? <Suspended answer={answer} /> : <Checked answer={answer} />}
      <Required answer={answer} />
    </Section>
  );
}

type Props = { answer: OrganizationAnswer };

const Checked = ({ answer: { installation } }: Props) => (
  <p className={styles.good}>
    <Icon outline={done} />
    {protectionSentence(installation)}
  </p>
);

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

function Required({ answer: { name, accountType, role } }: Props) {
  const { config } = useClient();
  const rules = `${config.github}/organizations/${encodeURIComponent(name)}/settings/rules`;
  return (
    <>
      <p>The check holds a merge back only where it is required.</p>
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
    </>
  );
}
