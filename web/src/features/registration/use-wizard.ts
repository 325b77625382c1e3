import { useState } from 'react';
import type { ApiError } from '../../lib/api-client.ts';
import { isFresh, isProofRefused, type Proof, STEP_UP_REQUIRED, type StepUp } from '../../lib/step-up.ts';
import { useClient, useSessionState, useUser } from '../../lib/use-client.ts';
import { useStepUp } from '../../lib/use-step-up.ts';
import { authenticatorsOf, type OwnAuthenticators } from '../../lib/user.ts';
import type { Organization } from './organization.ts';
import { wizardState } from './wizard.ts';

export type Wizard = ReturnType<typeof useWizard>;

/** Guides the person to a registration: first a proof, if one is needed, then the registration that carries it. */
export function useWizard({ org, orgID }: Organization) {
  const { session } = useClient();
  const sessionState = useSessionState();
  const user = useUser();
  const stepUp = useStepUp({ type: 'register-authenticator', org, orgID });
  // Kept from the first fresh session, so that the authenticator registered here doesn't trigger a step-up itself.
  const [ownAuthenticators, setOwnAuthenticators] = useState<OwnAuthenticators | null>(null);
  const [isRequired, setIsRequired] = useState(false);
  const [proof, setProof] = useState<Proof | null>(null);
  const fresh = sessionState.status === 'signed-in' && sessionState.fresh;
  if (!ownAuthenticators && fresh === 'yes') setOwnAuthenticators(authenticatorsOf(user, orgID));

  const { preferCode } = stepUp;
  const state = wizardState({ ownAuthenticators, isRequired, hasProof: proof !== null, preferCode });

  /** The step-up to send, renewed if it's too old. Null if the person has to authenticate first. */
  const prove = async (): Promise<{ stepUp?: StepUp } | null> => {
    if (!proof) return {};
    if (isFresh(proof, performance.now())) return { stepUp: proof.stepUp };
    const renewed = await stepUp.proveByKey();
    setProof(renewed);
    return renewed && { stepUp: renewed.stepUp };
  };

  /** The server requires a step-up that this page didn't expect: reads again what the person has. */
  const requireStepUp = async () => {
    await session.refresh();
    const refreshed = session.getState();
    if (refreshed.status === 'signed-in') setOwnAuthenticators(authenticatorsOf(refreshed.user, orgID));
    setIsRequired(true);
  };

  /** Goes back to the authentication if the server refused the proof. Resolves to false for any other refusal. */
  const handleRefusal = async (error: ApiError): Promise<boolean> => {
    if (proof && isProofRefused(proof, error.status)) setProof(null);
    else if (error.message === STEP_UP_REQUIRED) await requireStepUp();
    else return false;
    stepUp.refuse(error);
    return true;
  };

  const failed = !ownAuthenticators && fresh === 'failed';
  return { state, ownAuthenticators, failed, stepUp, setProof, prove, handleRefusal };
}
