import { useState } from 'react';
import type { OrganizationHealth, Ruleset } from '../../../../../src/contract/organization-health.ts';
import { GithubLink, quietActionLink, SecondaryButton } from '../../../components/controls.tsx';
import styles from './setup.module.css';

/** Rulesets to import on GitHub, which require the check from this App. */
export const RulesetRow = ({ rulesets }: Pick<OrganizationHealth, 'rulesets'>) => (
  <details className={styles.rulesets}>
    <summary>Require the check with a ruleset file</summary>
    <RulesetFiles rulesets={rulesets} />
  </details>
);

/** How to import them, and the files: one for all of an organization's repositories, one for a single repository. */
export function RulesetFiles({
  rulesets: { organization, repository },
}: Pick<OrganizationHealth, 'rulesets'>) {
  return (
    <>
      <p>
        GitHub lists a check for selection only if it completed in the last week. A ruleset file already names
        the check and its source, and requires a pull request. On GitHub, choose “New ruleset”, then “Import a
        ruleset”.
      </p>
      {organization && (
        <>
          <RulesetFile
            title="For all repositories that OTP Guard checks"
            name="otp-guard-organization-ruleset.json"
            ruleset={organization.ruleset}
          />
          <p>
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
    </>
  );
}

const MESSAGES = {
  idle: '',
  copied: 'Copied.',
  failed: "Your browser didn't allow this page to copy. Download the file.",
};

function RulesetFile({ title, name, ruleset }: { title: string; name: string; ruleset: Ruleset }) {
  const [copy, setCopy] = useState<keyof typeof MESSAGES>('idle');
  const text = `${JSON.stringify(ruleset, null, 2)}\n`;
  const press = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopy('copied'),
      () => setCopy('failed'),
    );
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
        <SecondaryButton onClick={() => void press()}>
          Copy<span className="visually-hidden"> the ruleset {title.toLowerCase()}</span>
        </SecondaryButton>
      </div>
      <p className="quiet" role="status">
        {MESSAGES[copy]}
      </p>
    </div>
  );
}
