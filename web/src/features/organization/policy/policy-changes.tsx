import { changedParts } from '../../../../../src/contract/activity.ts';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { plainText } from '../log/part.ts';
import { policyChanges } from '../log/policy-change.ts';
import { PatternText } from './pattern-text.tsx';
import styles from './policy.module.css';

/** Lists the differences between two policies, in the words of the log. */
export const PolicyChanges = ({ before, after }: { before: Policy; after: Policy }) => (
  <ul className={styles.changes}>
    {policyChanges(changedParts(before, after))
      .map(plainText)
      .map((text) => (
        <li key={text}>
          <PatternText text={text} />
        </li>
      ))}
  </ul>
);
