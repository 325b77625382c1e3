import { useState } from 'react';
import type { ApiError } from '../../lib/api-client.ts';
import { isFresh, type Proof, STEP_UP_REQUIRED, type StepUp, spendsProof } from '../../lib/step-up.ts';
import { useClient, useSessionState, useUser } from '../../lib/use-client.ts';
import { useStepUp } from '../../lib/use-step-up.ts';
import { authenticatorsOf, type OwnAuthenticators } from '../../lib/user.ts';
import type { Organization } from './organization.ts';
import { wizardState } from './wizard.ts';

export type Wizard = ReturnType<typeof useWizard>;

/** The way to a registration: first the proof, where one is needed, then the registration that carries it. */
export function useWizard({ org, orgID }: Organization) {
  const { session } = useClient();
  const live = useSessionState();
  const user = useUser();
  const stepUp = useStepUp({ type: 'register-authenticator', org, orgID });
  // As it was when the page began: what gets registered here does not ask for a step-up after the fact.
  const [own, setOwn] = useState<OwnAuthenticators | null>(null);
  const [required, setRequired] = useState(false);
  const [proof, setProof] = useState<Proof | null>(null);
  if (!own && live.status === 'signed-in' && live.fresh === 'yes') setOwn(authenticatorsOf(user, orgID));

  const { preferCode } = stepUp;
  const state = wizardState({ own, required, proved: proof !== null, preferCode });

  /** What the call carries; null where the person has to authenticate first. An old proof of a key is made anew. */
  const prove = async (): Promise<{ stepUp?: StepUp } | null> => {
    if (!proof) return {};
    if (isFresh(proof, performance.now())) return { stepUp: proof.stepUp };
    const renewed = await stepUp.byKey();
    setProof(renewed);
    return renewed && { stepUp: renewed.stepUp };
  };

  /** Takes a refusal that is about the proof, and leads back to the authentication; false for any other. */
  const refuse = async (error: ApiError): Promise<boolean> => {
    if (proof && spendsProof(proof, error.status)) {
      setProof(null);
    } else if (error.message === STEP_UP_REQUIRED) {
      await session.refresh();
      const now = session.getState();
      if (now.status === 'signed-in') setOwn(authenticatorsOf(now.user, orgID));
      setRequired(true);
    } else return false;
    stepUp.refuse(error);
    return true;
  };

  const failed = !own && live.status === 'signed-in' && live.fresh === 'failed';
  return { state, own, failed, stepUp, setProof, prove, refuse };
}
