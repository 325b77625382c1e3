import type { Policy, Rule } from '../../../../../src/contract/policy.ts';
import type { RuleApprovers, RuleApproversAnswer } from '../../../../../src/contract/policy-calls.ts';
import { isAboutDeployments } from '../../../../../src/contract/rule-subjects.ts';
import { Face } from '../../../components/faces.tsx';
import { checkIcon, Icon } from '../../../components/icon.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { alertIcon } from '../../../components/notice-icons.ts';
import { Label, SkeletonLine } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { Section } from '../section.tsx';
import { StatusRow } from '../status-row.tsx';
import { asSent } from './draft.ts';
import { meetableText } from './policy-texts.ts';
import styles from './rule-matrix.module.css';

/** Reads who can meet each rule of a policy, for owners. */
export const useRuleApprovers = ({ orgId: orgID, role }: Organization, policy: Policy) =>
  useAnswer('/rule-approvers', { orgID, policy: asSent(policy) }, { enabled: role === 'admin' });

/** Says whether every rule can be met. */
export function Meetable({ loaded }: Pick<ReturnType<typeof useRuleApprovers>, 'loaded'>) {
  if (loaded.status === 'failed') return null;
  if (loaded.status === 'awaiting') return <SkeletonLine like="Each of the 3 rules can be met." />;
  const isMet = loaded.value.rules.every(({ canBeMet }) => canBeMet !== 'no');
  return <StatusRow status={isMet ? 'ok' : 'failing'}>{meetableText(loaded.value.rules)}</StatusRow>;
}

type Props = ReturnType<typeof useRuleApprovers> & { rules: Rule[] };

/** Shows which groups, teams and people count for which rule. A wide table scrolls in a region of its own. */
export const RuleMatrix = ({ loaded, reload, rules }: Props) => (
  <Section title="Who counts where" busy={loaded.status === 'awaiting'}>
    {loadFailure(loaded, reload, "We couldn't read who can approve.")}
    {loaded.status !== 'failed' && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by the keyboard.
      <section className={styles.region} tabIndex={0} aria-label="Rules and people">
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              {loaded.status === 'ok' && <ColumnHeads {...loaded.value} />}
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, at) => (
              <tr key={rule.name}>
                <th scope="row">
                  <Label text={rule.name} inline />
                  {rule.when.agents && <span className={styles.about}>If an agent had a hand</span>}
                  {isAboutDeployments(rule) && <span className={styles.about}>Deployments</span>}
                </th>
                {loaded.status === 'ok' && <Cells rule={rule} approvers={loaded.value.rules[at]} />}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    )}
    {loaded.status === 'awaiting' && <SkeletonLine like="Counts, or doesn't count." className="quiet" />}
    {loaded.status === 'ok' && (
      <p className={`quiet ${styles.legend}`}>
        {Object.values(CELLS).map(({ mark, text }) => (
          <span key={text}>
            {mark} {text}
          </span>
        ))}
        {loaded.value.more > 0 && <span>{loaded.value.more} more that rules name aren't shown.</span>}
      </p>
    )}
  </Section>
);

const ColumnHeads = ({ columns }: RuleApproversAnswer) => (
  <>
    <th scope="col">Can approve</th>
    {columns.map(({ source, isPerson }) => (
      <th key={source} scope="col">
        {isPerson && (
          <div>
            <Face login={source} />
          </div>
        )}
        <Label text={GROUPS[source] ?? source} />
      </th>
    ))}
  </>
);

const GROUPS: Record<string, string> = {
  members: 'All members',
  owners: 'Owners',
  collaborators: 'Outside collaborators',
};

function Cells({ rule, approvers }: { rule: Rule; approvers: RuleApprovers | undefined }) {
  if (!approvers) return null;
  const { canBeMet, able, cells } = approvers;
  const needed = rule.require.approvals;
  const texts = {
    yes: needed === 0 ? 'Not needed' : able,
    no: `Nobody: ${able} of ${needed}`,
    unknown: "Can't tell",
  };
  return (
    <>
      <td className={canBeMet === 'no' ? styles.never : undefined}>
        {canBeMet === 'no' && <Icon path={alertIcon} />} {texts[canBeMet]}
      </td>
      {cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell's column is what identifies it.
        <td key={at} className={styles[cell]}>
          {CELLS[cell].mark}
          <span className="visually-hidden">{CELLS[cell].text}</span>
        </td>
      ))}
    </>
  );
}

const CELLS = {
  yes: { mark: <Icon path={checkIcon} />, text: 'Counts' },
  without: { mark: <Icon path={alertIcon} />, text: 'Would count, but has no authenticator that does' },
  unknown: { mark: <span aria-hidden="true">?</span>, text: 'Counts if in the team' },
  no: { mark: <span aria-hidden="true">–</span>, text: "Doesn't count" },
} as const;
