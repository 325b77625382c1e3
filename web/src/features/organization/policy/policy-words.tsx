import { changedParts } from '../../../../../src/contract/activity.ts';
import { plainText } from '../../../../../src/contract/parts.ts';
import type { Policy, Rule } from '../../../../../src/contract/policy.ts';
import type { RuleApprovers } from '../../../../../src/contract/policy-calls.ts';
import { policyChanges } from '../../../../../src/contract/policy-words.ts';
import { explainRule } from '../../../../../src/contract/rule-words.ts';
import { Faces } from '../../../components/faces.tsx';
import { Icon } from '../../../components/icon.tsx';
import { alertIcon } from '../../../components/notice-icons.ts';
import { Label, SkeletonLine } from '../../../components/text.tsx';
import { exactTime } from '../../../lib/times.ts';
import styles from './policy.module.css';
import { approversText } from './policy-texts.ts';

/** A rule with its name and mode, in words. */
export const RuleWords = ({ rule }: { rule: Rule }) => (
  <div>
    <h3>
      <Label text={rule.name} inline />
      {!rule.enforced && <span className={styles.mode}> Reported only</span>}
    </h3>
    <p>
      <PatternText text={explainRule(rule)} />
    </p>
  </div>
);

type ApproversLineProps = {
  rule: Rule;
  /** Null while they load. */
  approvers: RuleApprovers | null;
};

/** Shows who can meet a rule, with their faces, or that nobody can. */
export function ApproversLine({ rule, approvers }: ApproversLineProps) {
  if (rule.require.approvals === 0) return null;
  if (!approvers) return <SkeletonLine like="octocat, mona and hubot can approve." />;
  const text = approversText(rule, approvers);
  if (approvers.canBeMet === 'no') {
    return (
      <p className={`marked ${styles.never}`}>
        <Icon path={alertIcon} />
        {text}
      </p>
    );
  }
  return (
    <p className="quiet">
      {approvers.able > 0 && <Faces logins={approvers.logins} count={approvers.able} />} {text}
    </p>
  );
}

/** A sentence about a policy. Its patterns are between backquotes. */
export const PatternText = ({ text }: { text: string }) => (
  <bdi>
    {text.split('`').map((part, position) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: a part's position is what identifies it.
      return position % 2 === 1 ? <code key={position}>{part}</code> : part;
    })}
  </bdi>
);

/** Lists the differences between two policies, in the words of the log. */
export const PolicyChanges = ({ before, after }: { before: Policy; after: Policy }) => (
  <ul className={`stack gap-2 ${styles.changes}`}>
    {policyChanges(changedParts(before, after))
      .map((parts) => plainText(parts, exactTime))
      .map((text) => (
        <li key={text}>
          <PatternText text={text} />
        </li>
      ))}
  </ul>
);
