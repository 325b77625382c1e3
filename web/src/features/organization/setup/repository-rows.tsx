import type { RepositoryHealth } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Label } from '../../../components/label.tsx';
import { Marked } from '../marked.tsx';
import { REQUIREMENT_MARKS } from './findings.ts';
import styles from './setup.module.css';
import { REQUIREMENTS } from './words.ts';

/** Whether each repository requires the check. What to do is said once, where it first applies. */
export const RepositoryRows = ({ repositories }: { repositories: RepositoryHealth[] }) => (
  <ul>
    {repositories.map((repository, place) => (
      <Row
        key={repository.name}
        repository={repository}
        first={repositories.findIndex(({ required }) => required === repository.required) === place}
      />
    ))}
  </ul>
);

type Props = { repository: RepositoryHealth; first: boolean };

function Row({ repository: { name, defaultBranch, required, rulesUrl }, first }: Props) {
  const { text, advice, action } = REQUIREMENTS[required];
  return (
    <li className={styles.row}>
      <Marked mark={REQUIREMENT_MARKS[required]}>
        <div className={styles.head}>
          <div>
            <p className={styles.name}>
              <Label text={name} />
            </p>
            <p className={styles.quiet}>
              {text} on <code>{defaultBranch}</code>
            </p>
          </div>
          {action && (
            <GithubLink className={styles.link} href={rulesUrl} beside>
              {action}
              <span className="visually-hidden"> of {name}</span>
            </GithubLink>
          )}
        </div>
        {first && advice && <p className={styles.quiet}>{advice}</p>}
      </Marked>
    </li>
  );
}
