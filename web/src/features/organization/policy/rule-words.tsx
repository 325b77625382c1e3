import type { Rule } from '../../../../../src/contract/policy.ts';
import { Label } from '../../../components/label.tsx';
import { PatternText } from './pattern-text.tsx';
import styles from './policy.module.css';
import { ruleText } from './policy-texts.ts';

/** A rule with its name and mode, in words. */
export const RuleWords = ({ rule }: { rule: Rule }) => (
  <div>
    <h3>
      <Label text={rule.name} inline />
      {!rule.enforced && <span className={styles.mode}> Reported only</span>}
    </h3>
    <p>
      <PatternText text={ruleText(rule)} />
    </p>
  </div>
);
