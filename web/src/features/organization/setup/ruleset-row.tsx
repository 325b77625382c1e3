import type { OrganizationHealth, Ruleset } from '../../../../../src/contract/organization-health.ts';
import { GithubLink, quietActionLink, SecondaryButton } from '../../../components/controls.tsx';
import { useCopy } from '../../../lib/react/use-copy.ts';
import styles from './setup.module.css';

/** The ways to require the check: by hand, or with a file to import on GitHub. */
export function RulesetFiles({
  rulesets: { organization, repository },
}: Pick<OrganizationHealth, 'rulesets'>) {
  return (
    <>
      <p>
        A ruleset file names the check and its source, and requires a pull request. On GitHub, choose “New
        ruleset”, then “Import a ruleset”.
      </p>
      {organization && (
        <>
          <RulesetFile
            title="For all repositories that OTP Guard checks"
            name="otp-guard-organization-ruleset.json"
            ruleset={organization.ruleset}
          />
          <p className="quiet">
            For an organization, GitHub lists only Apps that can write commit statuses, and OTP Guard can't.
            So import this file instead of choosing the check there.
          </p>
          <p>
            <GithubLink className="target" href={organization.url} newTab>
              The organization's rulesets
            </GithubLink>
          </p>
        </>
      )}
      <RulesetFile title="For one repository" name="otp-guard-ruleset.json" ruleset={repository} />
      <details>
        <summary>By hand</summary>
        In a ruleset or a branch protection rule, choose “Require status checks to pass”. Add the check{' '}
        <strong>OTP Guard</strong>, which GitHub lists if it completed in the last week, and choose the OTP
        Guard App as its source: with any other source, everybody who can write checks could report it as
        passed. Also choose “Require a pull request before merging”: otherwise, a commit whose check passed
        for another branch can be pushed directly.
      </details>
    </>
  );
}

function RulesetFile({ title, name, ruleset }: { title: string; name: string; ruleset: Ruleset }) {
  const text = `${JSON.stringify(ruleset, null, 2)}\n`;
  const { message, copy } = useCopy(text, 'Download the file.');
  return (
    <div className={`spread ${styles.ruleset}`}>
      <p>{title}</p>
      <div className="buttons">
        <a
          className={quietActionLink}
          href={`data:application/json,${encodeURIComponent(text)}`}
          download={name}
        >
          Download<span className="visually-hidden"> the ruleset {title.toLowerCase()}</span>
        </a>
        <SecondaryButton onClick={copy}>
          Copy<span className="visually-hidden"> the ruleset {title.toLowerCase()}</span>
        </SecondaryButton>
      </div>
      <p className="quiet" role="status">
        {message}
      </p>
    </div>
  );
}
