import { useLayoutEffect, useRef, useState } from 'react';
import type { OrganizationMember } from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/card.tsx';
import { Button, GithubLink } from '../../../components/controls.tsx';
import { StepUp } from '../../../components/step-up.tsx';
import { sentenceOf } from '../../../lib/api-client.ts';
import { isProofRefused, NO_AUTHENTICATORS, type Proof, stepUpMethod } from '../../../lib/step-up.ts';
import { useClient, useUser } from '../../../lib/use-client.ts';
import { useStepUp } from '../../../lib/use-step-up.ts';
import { authenticatorsOf, type Organization } from '../../../lib/user.ts';
import styles from './members.module.css';

type Props = {
  member: OrganizationMember;
  organization: Pick<Organization, 'orgId' | 'name'>;
  onCancel: () => void;
};

/** Ends a member's OTP Guard sessions after the owner confirmed it, and says that the GitHub session continues. */
export function EndSessions({ member: { id, login }, organization: { orgId, name }, onCancel }: Props) {
  const { config } = useClient();
  const ownAuthenticators = authenticatorsOf(useUser(), String(orgId));
  const { status, error, stepUp, end } = useEndSessions({ memberID: id, orgID: String(orgId), org: name });
  const panel = useRef<HTMLDivElement>(null);
  // The button that opened this is gone, and its focus with it.
  useLayoutEffect(() => panel.current?.focus(), []);
  const cannotStepUp = stepUpMethod(ownAuthenticators, stepUp.preferCode) === 'none';
  const text = cannotStepUp ? NO_AUTHENTICATORS : (error ?? stepUp.error);
  const people = `${config.github}/orgs/${encodeURIComponent(name)}/people`;
  return (
    <div ref={panel} className={styles.ending} tabIndex={-1} aria-busy={status === 'pending'}>
      {text && <Banner text={text} />}
      {status === 'done' ? (
        <p role="status">{login} is signed out of OTP Guard on every device.</p>
      ) : (
        <StepUp stepUp={stepUp} ownAuthenticators={ownAuthenticators} onProof={(proof) => void end(proof)}>
          Before you sign {login} out of OTP Guard on every device, confirm that it's you.
        </StepUp>
      )}
      <p className="quiet">
        The GitHub session of {login} goes on, and with it they can sign in again. Ask them to{' '}
        <GithubLink href={`${config.github}/settings/sessions`}>end it in their settings</GithubLink>, or{' '}
        <GithubLink href={people}>remove them from the organization</GithubLink>.
      </p>
      <Button look="secondary" onClick={onCancel}>
        {status === 'done' ? 'Close' : 'Cancel'}
      </Button>
    </div>
  );
}

function useEndSessions(target: { memberID: number; orgID: string; org: string }) {
  const { api, session } = useClient();
  const stepUp = useStepUp({ type: 'end-sessions', ...target });
  const [status, setStatus] = useState<'awaiting' | 'pending' | 'done'>('awaiting');
  const [error, setError] = useState<string | null>(null);

  const end = async (proof: Proof) => {
    setStatus('pending');
    setError(null);
    try {
      const body = { ...target, stepUp: proof.stepUp, accessToken: session.accessToken() };
      await api.post('/end-member-sessions', body);
      setStatus('done');
    } catch (cause) {
      setStatus('awaiting');
      if (isProofRefused(cause)) stepUp.refuse(cause);
      else setError(sentenceOf(cause));
    }
  };
  return { status, error, stepUp, end };
}
