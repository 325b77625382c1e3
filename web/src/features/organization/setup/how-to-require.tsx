import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { useClient } from '../../../lib/use-client.ts';
import styles from './setup.module.css';

/** Explains how to make GitHub require the check. */
export function HowToRequire({ answer: { name, accountType, role } }: { answer: OrganizationAnswer }) {
  const { config } = useClient();
  const rules = `${config.github}/organizations/${encodeURIComponent(name)}/settings/rules`;
  return (
    <details className={styles.rulesets}>
      <summary>How to require the check</summary>
      <p>
        In a ruleset or a branch protection rule, choose “Require status checks to pass”. Add the check{' '}
        <strong>OTP Guard</strong> and choose the OTP Guard App as its source. With any other source, someone
        else could report the check as passed.
        {role === 'admin' && ' A ruleset file under Setup health already names both.'}
      </p>
      {role === 'admin' && accountType === 'Organization' && (
        <p>
          <GithubLink className={styles.link} href={rules} newTab>
            Rulesets of {name}
          </GithubLink>
        </p>
      )}
    </details>
  );
}
