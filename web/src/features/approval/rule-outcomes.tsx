import type { RuleOutcome } from '../../../../src/contract/approvals.ts';
import styles from './approval.module.css';

/** Shows what each rule of the organization says about the pull request. */
export default function RuleOutcomes({ rules }: { rules: RuleOutcome[] }) {
  return (
    <ul className={styles.rules} aria-label="Rules">
      {rules.map((rule) => (
        <li key={rule.name}>
          <bdi>{rule.name || 'Every pull request'}</bdi>
          {!rule.enforced && ' (reported only)'}: {outcomeOf(rule)}
        </li>
      ))}
    </ul>
  );
}

function outcomeOf({ met, approvals, by, missing }: RuleOutcome): string {
  if (!met) return missing;
  return approvals === 0 ? 'Needs no approval.' : `Met by ${by.join(', ')}.`;
}
