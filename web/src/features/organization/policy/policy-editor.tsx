import { useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { ActionError } from '../../../components/action-error.tsx';
import { Button, SecondaryButton } from '../../../components/controls.tsx';
import { Notice } from '../../../components/notice.tsx';
import type { ApiError } from '../../../lib/api/api-client.ts';
import { useStepFocus } from '../../../lib/react/use-step-focus.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { AgentsFields } from './agents-fields.tsx';
import { AssuranceFields, EnrolmentFields } from './authenticator-fields.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import { asSent, type Draft, isSamePolicy } from './draft.ts';
import styles from './policy.module.css';
import { PolicyFiles } from './policy-files.tsx';
import { reportedText } from './policy-texts.ts';
import { PolicyChanges } from './policy-words.tsx';
import { RecipeList, useRecipePreview } from './recipe-list.tsx';
import { RuleList } from './rule-list.tsx';
import { TryIt } from './try-it.tsx';

type Props = {
  organization: Organization;
  /** The policy in force. */
  current: Policy;
  draft: Draft;
  onChange: (draft: Draft | null) => void;
  onSaved: (policy: Policy) => void;
  /** Another policy may be in force. */
  onStale: () => void;
};

const NOT_LOADED = "This part of the page didn't load. Check your connection and try again.";

/** Edits the policy. Nothing is lost by an error, a reload, or another owner's change. */
export function PolicyEditor(props: Props) {
  const { organization, current, draft, onChange, onSaved, onStale } = props;
  const [isConfirming, setIsConfirming] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [replaced, setReplaced] = useState(0);
  const preview = useRecipePreview(organization, current);
  const replace = (policy: Policy) => {
    onChange({ ...draft, policy });
    setReplaced(replaced + 1);
  };
  const isStale = !isSamePolicy(draft.base, current);

  const review = async () => {
    setError(null);
    const checks = await import('./check-policy.ts').catch(() => null);
    if (!checks) return setError(NOT_LOADED);
    const policy = asSent(draft.policy);
    const fault = checks.findFault(policy);
    if (fault) return setError(checks.faultText(policy, fault, checks.LABELS));
    if (isSamePolicy(policy, draft.base)) return setError('Nothing has changed yet.');
    setIsConfirming(true);
  };
  const refused = ({ message, code }: ApiError) => {
    setIsConfirming(false);
    setError(message);
    if (code === 'policyMoved') onStale();
  };

  const step = useStepFocus<HTMLDivElement>(isConfirming ? 'confirm' : 'form');
  if (isConfirming && !isStale) {
    return (
      <div ref={step} className={`stack ${styles.step}`} tabIndex={-1}>
        <ConfirmChange
          organization={organization}
          draft={draft}
          onSaved={onSaved}
          onRefused={refused}
          onBack={() => setIsConfirming(false)}
        />
      </div>
    );
  }
  return (
    <div ref={step} className={`stack ${styles.step}`} tabIndex={-1}>
      {isStale && (
        <OtherChange
          draft={draft}
          current={current}
          onKeep={() => {
            setError(null);
            onChange({ ...draft, base: current });
          }}
          onDiscard={() => onChange(null)}
        />
      )}
      <RecipeList current={current} draft={draft} onChange={replace} preview={preview} />
      <div className={`stack ${styles.columns}`}>
        <PolicyForm {...props} replaced={replaced} onReplace={replace} />
      </div>
      <div className={styles.actions}>
        <ActionError text={error} />
        <Button onClick={() => void review()} disabled={isStale}>
          Review and save
        </Button>
        <SecondaryButton onClick={() => onChange(null)}>Discard</SecondaryButton>
        <p role="status">{reportedText(draft.policy.rules)}</p>
      </div>
    </div>
  );
}

type FormProps = Pick<Props, 'organization' | 'current' | 'draft' | 'onChange'> & {
  /** Changes each time that something else than the fields replaces the policy. */
  replaced: number;
  onReplace: (policy: Policy) => void;
};

/** The fields. A policy that replaces theirs also replaces what they keep while a person types. */
function PolicyForm({ organization, current, draft, onChange, replaced, onReplace }: FormProps) {
  const { policy } = draft;
  const change = (part: Partial<Policy>) => onChange({ ...draft, policy: { ...policy, ...part } });
  return (
    <>
      <div className="stack">
        <div key={replaced} className="stack">
          <RuleList
            organization={organization}
            rules={policy.rules}
            onChange={(rules) => change({ rules })}
          />
          <AgentsFields agents={policy.agents} onChange={(agents) => change({ agents })} />
        </div>
        <TryIt organization={organization} current={current} edited={policy} />
      </div>
      <div className="stack">
        <div key={replaced} className="stack">
          <EnrolmentFields enrolment={policy.enrolment} onChange={(enrolment) => change({ enrolment })} />
          <AssuranceFields
            organization={organization}
            assurance={policy.assurance}
            onChange={(assurance) => change({ assurance })}
          />
        </div>
        <PolicyFiles organization={organization.name} policy={policy} onImport={onReplace} />
      </div>
    </>
  );
}

type OtherChangeProps = { draft: Draft; current: Policy; onKeep: () => void; onDiscard: () => void };

/** Another policy is in force than the policy that the changes began from. */
const OtherChange = ({ draft, current, onKeep, onDiscard }: OtherChangeProps) => (
  <Notice variant="warning">
    <p>
      The policy was changed since you began. Yours isn't saved, and is kept here. What changed in the
      meantime:
    </p>
    <PolicyChanges before={draft.base} after={current} />
    <div className="buttons">
      <SecondaryButton onClick={onKeep}>Continue with mine</SecondaryButton>
      <SecondaryButton onClick={onDiscard}>Discard mine</SecondaryButton>
    </div>
  </Notice>
);
