import type { PolicyTrialAnswer } from '../../../../../src/contract/policy-calls.ts';
import { Label } from '../../../components/label.tsx';
import { StatusRow } from '../status-row.tsx';
import type { PullName } from './parse-pull.ts';
import styles from './policy.module.css';

type Props = { title: string; pull: PullName; answer: PolicyTrialAnswer };

/** What one policy says about a pull request. */
export const TrialOutcome = ({ title, pull: { repo, pr }, answer: { passed, rules } }: Props) => (
  <div className={styles.fields}>
    <h3>{title}</h3>
    <StatusRow status={passed ? 'good' : 'wrong'}>
      <p>
        <bdi>
          {repo} #{pr}
        </bdi>{' '}
        {passed ? 'passes.' : 'waits.'}
      </p>
    </StatusRow>
    <ul>
      {rules.map(({ name, enforced, met, missing }) => (
        <li key={name} className={styles.rule}>
          <p>
            <Label text={name || 'Every pull request'} inline />
            {met && ': met.'}
            {!enforced && <span className={styles.mode}>Reported only</span>}
          </p>
          {!met && (
            <p>
              <Label text={missing} inline />
            </p>
          )}
        </li>
      ))}
    </ul>
  </div>
);
