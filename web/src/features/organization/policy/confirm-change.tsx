import { useState } from 'react';
import type { Policy } from '../../../../../src/contract/policy.ts';
import type { ProblemCode } from '../../../../../src/contract/problems.ts';
import { Banner } from '../../../components/card.tsx';
import { Button } from '../../../components/controls.tsx';
import { StepUp } from '../../../components/step-up.tsx';
import { ApiError, sentenceOf } from '../../../lib/api-client.ts';
import { refusePolicyStatement } from '../../../lib/check-policy-statement.ts';
import { hashOf } from '../../../lib/check-statement.ts';
import { isProofRefused, NO_AUTHENTICATORS, type Proof, stepUpMethod } from '../../../lib/step-up.ts';
import { useClient, useUser } from '../../../lib/use-client.ts';
import { useStepUp } from '../../../lib/use-step-up.ts';
import { authenticatorsOf, type Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import { asSent, type Draft } from './draft.ts';
import styles from './policy.module.css';
import { PolicyChanges } from './policy-words.tsx';

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
  const ownAuthenticators = authenticatorsOf(useUser(), String(organization.orgId));
  const { pending, error, stepUp, save } = useSave({
    organization,
    base: draft.base,
    policy,
    onSaved,
    onRefused,
  });
  const cannotStepUp = stepUpMethod(ownAuthenticators, stepUp.preferCode) === 'none';
  const text = cannotStepUp ? NO_AUTHENTICATORS : (error ?? stepUp.error);
  return (
    <Section title="What changes" busy={pending}>
      {text && <Banner text={text} />}
      <PolicyChanges before={draft.base} after={policy} />
      <div className={styles.confirm}>
        <StepUp stepUp={stepUp} ownAuthenticators={ownAuthenticators} onProof={(proof) => void save(proof)}>
          Before you change the policy of {organization.name}, confirm that it's you. Every open pull request
          is then judged again.
        </StepUp>
        <Button look="secondary" onClick={onBack}>
          Back to editing
        </Button>
      </div>
    </Section>
  );
}

type Save = Pick<Props, 'organization' | 'onSaved' | 'onRefused'> & { base: Policy; policy: Policy };

function useSave({ organization: { orgId, name }, base, policy, onSaved, onRefused }: Save) {
  const { api, session, config } = useClient();
  const { username, githubId } = useUser();
  const target = { org: name, orgID: String(orgId), policy };
  const screen = { host: config.origin, user: { login: username, githubId }, orgId, policy };
  const stepUp = useStepUp({ type: 'change-policy', ...target }, (answer) =>
    refusePolicyStatement(answer, screen),
  );
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const save = async (proof: Proof) => {
    setPending(true);
    setError(null);
    try {
      const replaces = await hashOf(base);
      const body = { ...target, replaces, stepUp: proof.stepUp, accessToken: session.accessToken() };
      onSaved(await api.post<Policy>('/github-set-policy', body));
    } catch (cause) {
      setPending(false);
      if (cause instanceof ApiError && POLICY_REFUSED.includes(cause.code)) onRefused(cause);
      else if (isProofRefused(cause)) stepUp.refuse(cause);
      else setError(sentenceOf(cause));
    }
  };
  return { pending, error, stepUp, save };
}
