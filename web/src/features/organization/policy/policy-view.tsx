import type { Policy } from '../../../../../src/contract/policy.ts';
import { Section } from '../section.tsx';
import styles from './policy.module.css';
import { assuranceText, enrolmentText, SEED_TEXT } from './policy-texts.ts';
import { RuleWords } from './rule-words.tsx';

/** A policy in words. */
export const PolicyView = ({ policy: { enrolment, assurance, rules } }: { policy: Policy }) => (
  <>
    <Section title="Rules">
      <ol className={styles.rules}>
        {rules.map((rule) => (
          <li key={rule.name} className={styles.rule}>
            <RuleWords rule={rule} />
          </li>
        ))}
      </ol>
      <p className={styles.quiet}>
        {rules.length === 0 ? 'Every pull request needs 1 approval by a member.' : SEED_TEXT}
      </p>
    </Section>
    <Section title="First authenticator">
      <p>{enrolmentText(enrolment)}</p>
    </Section>
    <Section title="What counts">
      <p>{assuranceText(assurance)}</p>
    </Section>
  </>
);
