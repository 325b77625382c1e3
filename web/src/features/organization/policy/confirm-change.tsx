import type { Policy } from '../../../../../src/contract/policy.ts';
import type { ProblemCode } from '../../../../../src/contract/problems.ts';
import { SecondaryButton } from '../../../components/controls.tsx';
import { StepUp } from '../../../components/step-up.tsx';
import { ApiError } from '../../../lib/api/api-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { refusePolicyStatement } from '../../../lib/signing/check-policy-statement.ts';
import { hashOf } from '../../../lib/signing/check-statement.ts';
import type { Proof } from '../../../lib/signing/step-up.ts';
import { useProvenAction } from '../../../lib/signing/use-proven-action.ts';
import { useSignDeps } from '../../../lib/signing/use-signing.ts';
import { Section } from '../section.tsx';
import { asSent, type Draft } from './draft.ts';
import { testedText } from './policy-texts.ts';
import { PolicyChanges } from './policy-words.tsx';
import { usePreview } from './recipe-list.tsx';
import { Meetable, RuleMatrix, useRuleApprovers } from './rule-matrix.tsx';

type Props = {
  organization: Organization;
  draft: Draft;
  onSaved: (policy: Policy) => void;
  /** The server refused the policy itself, or another one is in force by now. */
  onRefused: (error: ApiError) => void;
  onBack: () => void;
};

const POLICY_REFUSED: readonly (ProblemCode | null)[] = ['wrongPolicy', 'malformed', 'policyMoved'];

/** Shows the changes, and asks the owner for a proof of exactly these. */
export function ConfirmChange({ organization, draft, onSaved, onRefused, onBack }: Props) {
  const policy = asSent(draft.policy);
  const { orgId, name } = organization;
  const preview = usePreview(organization, [policy]);
  const approvers = useRuleApprovers(organization, policy);
  const hasRules = policy.rules.length > 0;
  const { api, accessToken, signer } = useSignDeps();
  const target = { org: name, orgID: String(orgId), policy };
  const save = async ({ stepUp }: Proof) => {
    const body = { ...target, replaces: await hashOf(draft.base), stepUp, accessToken: accessToken() };
    try {
      onSaved(await api.post('/github-set-policy', body));
    } catch (cause) {
      if (!(cause instanceof ApiError && POLICY_REFUSED.includes(cause.code))) throw cause;
      onRefused(cause);
    }
  };
  const { pending, form } = useProvenAction({ type: 'change-policy', ...target }, save, (answer) =>
    refusePolicyStatement(answer, { ...signer, orgId, policy }),
  );
  return (
    <Section title="What changes" busy={pending}>
      <PolicyChanges before={draft.base} after={policy} />
      <p role="status">{testedText(preview, 0)}</p>
      {hasRules && <Meetable {...approvers} />}
      <div className="stack wide-column">
        <StepUp {...form}>
          Before you change the policy of {name}, confirm that it's you. Every open pull request is then
          judged again.
        </StepUp>
        <SecondaryButton onClick={onBack}>Back to editing</SecondaryButton>
      </div>
      {hasRules && <RuleMatrix {...approvers} rules={policy.rules} />}
    </Section>
  );
}
