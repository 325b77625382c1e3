import type { Rule } from '../../../../../src/contract/policy.ts';
import { Field } from '../../../components/field.tsx';
import { CheckField } from './fields.tsx';

type When = Rule['when'];
type Require = Rule['require'];

/** The fields of patterns, of a rule about deployments. */
export const DEPLOYMENT_PATTERNS = [
  { kind: 'environments', label: 'Environments', hint: 'Such as production or release-*, one per line.' },
  { kind: 'refs', label: 'Branches and tags', hint: 'Such as main or v*, one per line. Empty: all.' },
] as const;

/** Keeps a condition about deployments such a one, even while nothing is typed. */
export function stillAboutDeployments({ environments = [], refs, ...when }: When): When {
  return { ...when, refs, environments: environments.length > 0 || !refs ? environments : undefined };
}

/** The rule, about the other subject: it keeps what both have. */
export function withSubject({ when, require, ...rule }: Rule, isDeployments: boolean): Rule {
  const { satisfiedBy, ...rest } = require;
  const { repositories } = when;
  const own: When = { authors: 'anyone', ...(repositories && { repositories }) };
  return { ...rule, when: isDeployments ? stillAboutDeployments(own) : own, require: rest };
}

const DAY_HOURS = 24;

/** Lets an approved merge stand for the approvals of a deployment. */
export function SatisfiedByFields({
  require,
  onChange,
}: {
  require: Require;
  onChange: (require: Require) => void;
}) {
  const { merge } = require.satisfiedBy ?? {};
  const set = (hours: number) => onChange({ ...require, satisfiedBy: { merge: { hours } } });
  return (
    <>
      <CheckField
        label="An approved merge is enough"
        checked={merge !== undefined}
        onChange={(on) => (on ? set(DAY_HOURS) : onChange({ ...require, satisfiedBy: undefined }))}
      />
      <p className="quiet">
        If it brought the commit into that branch with all its approvals. A merge around the check has none,
        so its deployment still waits.
      </p>
      {merge && (
        <Field
          label="At most this many hours ago"
          type="number"
          inputMode="numeric"
          min={1}
          value={Number.isNaN(merge.hours) ? '' : merge.hours}
          onChange={({ target }) => set(target.valueAsNumber)}
        />
      )}
    </>
  );
}

/** Who may not approve, in words about deployments. */
export const NOT_BY_OF_DEPLOYMENTS = [
  ['author', 'Who started the run, and the author of the pull request'],
  ['initiator', 'Who started the run, and who asked an agent for the pull request'],
  ['committers', 'Authors and committers of the pull request’s commits'],
  ['pusher', 'Who started the run, and the last person to push'],
] as const;
