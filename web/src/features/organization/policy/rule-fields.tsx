import type { Permission } from '../../../../../src/contract/accounts.ts';
import type { Rule } from '../../../../../src/contract/policy.ts';
import { isAboutDeployments } from '../../../../../src/contract/rule-subjects.ts';
import { explainRule } from '../../../../../src/contract/rule-words.ts';
import { Field, SelectField } from '../../../components/field.tsx';
import type { Organization } from '../../../lib/session/user.ts';
import {
  DEPLOYMENT_PATTERNS,
  NOT_BY_OF_DEPLOYMENTS,
  SatisfiedByFields,
  stillAboutDeployments,
  withSubject,
} from './deployment-fields.tsx';
import { newRule } from './draft.ts';
import { CheckField, CheckGroup, Fold, ListField, METHODS } from './fields.tsx';
import { PatternNotes, usePatternMatches } from './pattern-notes.tsx';
import styles from './policy.module.css';
import { PatternText } from './policy-words.tsx';

type Props = {
  organization: Organization;
  rule: Rule;
  /** True if the fields are unfolded. */
  isShown: boolean;
  onChange: (rule: Rule) => void;
};

/** The settings that are folded away while they are these. */
const ORDINARY = { when: newRule([]).when, require: { ...newRule([]).require, notBy: [] } };
const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

const SUBJECTS = [
  ['pulls', 'Pull requests'],
  ['deployments', 'Deployments'],
] as const;

const MODES = [
  ['reported', 'Only report what it requires'],
  ['enforced', 'Enforce it'],
] as const;

/** The fields of one rule. */
export function RuleFields({ organization, rule, isShown, onChange }: Props) {
  const { name, enforced, when, require } = rule;
  const isDeployments = isAboutDeployments(rule);
  const matches = usePatternMatches(organization, when, isShown && !isDeployments);
  const change = (part: Partial<Rule>) => onChange({ ...rule, ...part });
  return (
    <div className={`stack ${styles.fields}`}>
      <Field
        label="Name"
        value={name}
        onChange={({ target }) => onChange({ ...rule, name: target.value })}
        maxLength={100}
        autoComplete="off"
      />
      <SelectField
        label="Mode"
        value={enforced ? 'enforced' : 'reported'}
        options={MODES}
        onChoose={(mode) => onChange({ ...rule, enforced: mode === 'enforced' })}
      />
      <h4>Applies to</h4>
      <SelectField
        label="About"
        value={isDeployments ? 'deployments' : 'pulls'}
        options={SUBJECTS}
        onChoose={(subject) => onChange(withSubject(rule, subject === 'deployments'))}
      />
      {isDeployments ? (
        <PatternFields
          fields={[...DEPLOYMENT_PATTERNS, ...PATTERN_FIELDS.slice(0, 1)]}
          when={when}
          matches={null}
          onChange={(when) => change({ when: stillAboutDeployments(when) })}
        />
      ) : (
        <Fold title="Repositories, branches, files, authors and agents" isOpen={!isSame(when, ORDINARY.when)}>
          <WhenFields when={when} matches={matches} onChange={(when) => change({ when })} />
        </Fold>
      )}
      <h4>Requires</h4>
      <RequireFields
        require={require}
        isDeployments={isDeployments}
        onChange={(require) => change({ require })}
      />
      <p className="quiet">
        <PatternText text={explainRule(rule)} />
      </p>
    </div>
  );
}

type When = Rule['when'];

const AUTHORS = [
  ['anyone', 'Anyone'],
  ['people', 'People'],
  ['machines', 'Machines: Apps and bots'],
  ['listed', 'Logins and teams'],
] as const;

const PATTERN_FIELDS = [
  {
    kind: 'repositories',
    label: 'Repositories',
    hint: 'Names without the owner, one per line; * stands for any characters. Empty: all.',
  },
  { kind: 'branches', label: 'Base branches', hint: 'Such as main or release/*, one per line. Empty: all.' },
  { kind: 'paths', label: 'Changed files', hint: 'Such as .github/** or **/*.tf, one per line. Empty: any.' },
] as const;

type WhenProps = {
  when: When;
  matches: ReturnType<typeof usePatternMatches>;
  onChange: (when: When) => void;
};

type PatternFieldsProps = WhenProps & {
  fields: readonly (typeof PATTERN_FIELDS | typeof DEPLOYMENT_PATTERNS)[number][];
};

const PatternFields = ({ fields, when, matches, onChange }: PatternFieldsProps) =>
  fields.map(({ kind, label, hint }) => (
    <ListField
      key={kind}
      label={label}
      hint={hint}
      value={when[kind] ?? []}
      onChange={(list) => onChange({ ...when, [kind]: list.length > 0 ? list : undefined })}
    >
      <PatternNotes kind={kind} patterns={when[kind] ?? []} matches={matches} />
    </ListField>
  ));

function WhenFields({ when, matches, onChange }: WhenProps) {
  const { authors } = when;
  return (
    <>
      <PatternFields fields={PATTERN_FIELDS} {...{ when, matches, onChange }} />
      <SelectField
        label="Authors"
        value={typeof authors === 'string' ? authors : 'listed'}
        options={AUTHORS}
        onChoose={(chosen) => onChange({ ...when, authors: chosen === 'listed' ? [] : chosen })}
      />
      {typeof authors !== 'string' && (
        <ListField
          label="Logins and teams"
          hint="Such as octocat or @octo-org/security, one per line."
          value={authors}
          onChange={(authors) => onChange({ ...when, authors })}
        />
      )}
      <CheckField
        label="Only if an agent had a hand in it"
        checked={when.agents === true}
        onChange={(isAsked) => onChange({ ...when, agents: isAsked || undefined })}
      />
      <p className="quiet">
        As its author, in a commit or its trailers, or with an approving review. An agent that leaves no name
        isn't seen, so ask for more here, and keep a rule for everyone as the floor.
      </p>
    </>
  );
}

const APPROVALS = ['None: it passes immediately', '1', '2', '3', '4', '5'].map(
  (text, count) => [String(count), text] as const,
);
const PERMISSIONS = [
  ['', 'Any'],
  ['read', 'read or more'],
  ['triage', 'triage or more'],
  ['write', 'write or more'],
  ['maintain', 'maintain or more'],
  ['admin', 'admin'],
] as const satisfies [Permission | '', string][];
const NOT_BY = [
  ['author', 'The author of the pull request'],
  ['initiator', 'The person who asked an agent for it'],
  ['committers', 'Authors and committers of its commits'],
  ['pusher', 'The last person to push'],
] as const;

type Require = Rule['require'];
type RequireProps = { require: Require; isDeployments: boolean; onChange: (require: Require) => void };

function RequireFields({ require, isDeployments, onChange }: RequireProps) {
  const { approvals } = require;
  return (
    <>
      <SelectField
        label="Approvals"
        value={String(approvals)}
        options={APPROVALS}
        onChoose={(count) => onChange({ ...require, approvals: Number(count) })}
      />
      {approvals > 0 && (
        <Fold
          title="Approvers, exclusions and authenticators"
          isOpen={!isSame({ ...require, approvals: 1 }, ORDINARY.require)}
        >
          <WhoFields {...{ require, isDeployments, onChange }} />
        </Fold>
      )}
      {isDeployments && approvals > 0 && <SatisfiedByFields require={require} onChange={onChange} />}
    </>
  );
}

function WhoFields({ require, isDeployments, onChange }: RequireProps) {
  const { from, permission, notBy, methods, userVerification } = require;
  return (
    <>
      <ListField
        label="Approvers"
        hint="members, owners, collaborators, logins, or teams such as @octo-org/security; one per line."
        value={from}
        onChange={(from) => onChange({ ...require, from })}
      />
      <SelectField
        label="Permission on the repository"
        value={permission ?? ''}
        options={PERMISSIONS}
        onChoose={(chosen) => onChange({ ...require, permission: chosen || undefined })}
      />
      <CheckGroup
        legend="Exclude"
        options={isDeployments ? NOT_BY_OF_DEPLOYMENTS : NOT_BY}
        value={notBy}
        onChange={(notBy) => onChange({ ...require, notBy })}
      />
      <CheckGroup
        legend="Using"
        options={METHODS}
        value={methods ?? METHODS.map(([type]) => type)}
        onChange={(chosen) =>
          onChange({ ...require, methods: chosen.length < METHODS.length ? chosen : undefined })
        }
      />
      <CheckField
        label="Require a PIN, fingerprint or face"
        checked={userVerification === 'required'}
        onChange={(on) => onChange({ ...require, userVerification: on ? 'required' : 'preferred' })}
      />
    </>
  );
}
