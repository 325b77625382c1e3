import type { RepositoryHealth } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Label } from '../../../components/label.tsx';
import { StatusRow } from '../status-row.tsx';
import { REQUIREMENT_STATUS } from './part-status.ts';
import styles from './setup.module.css';
import { REQUIREMENT_TEXTS } from './setup-texts.ts';

/** Whether each repository requires the check. Only the first row of each kind has the advice. */
export const RepositoryRows = ({ repositories }: { repositories: RepositoryHealth[] }) => (
  <ul>
    {repositories.map((repository, index) => (
      <Row
        key={repository.name}
        repository={repository}
        isFirstOfKind={repositories.findIndex(({ required }) => required === repository.required) === index}
      />
    ))}
  </ul>
);

type Props = { repository: RepositoryHealth; isFirstOfKind: boolean };

function Row({ repository: { name, defaultBranch, required, rulesUrl }, isFirstOfKind }: Props) {
  const { text, advice, action } = REQUIREMENT_TEXTS[required];
  return (
    <li className={styles.row}>
      <StatusRow status={REQUIREMENT_STATUS[required]}>
        <div className={styles.head}>
          <div>
            <p className={styles.name}>
              <Label text={name} />
            </p>
            <p className={styles.quiet}>
              {text} on <code dir="auto">{defaultBranch}</code>
            </p>
          </div>
          {action && (
            <GithubLink className={styles.link} href={rulesUrl} newTab>
              {action}
              <span className="visually-hidden"> of {name}</span>
            </GithubLink>
          )}
        </div>
        {isFirstOfKind && advice && <p className={styles.quiet}>{advice}</p>}
      </StatusRow>
    </li>
  );
}
