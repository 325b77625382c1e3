import { useState } from 'react';
import { type ApiError, NO_ACCESS } from '../../lib/api/api-client.ts';
import { useLoaded } from '../../lib/react/queries.ts';
import { useClient, useSessionState, useUser } from '../../lib/react/use-client.ts';
import { authenticatorsOf, type NamedOrganization, type OwnAuthenticators } from '../../lib/session/user.ts';
import { readEnrolment } from '../../lib/signing/enrolment.ts';
import { isFresh, isProofRefused, type Proof } from '../../lib/signing/step-up.ts';
import { useStepUp } from '../../lib/signing/use-step-up.ts';
import { useCompanyAddress } from './company-address-step.tsx';
import { type Proofs, refusedStep, wizardState } from './wizard.ts';

export type Wizard = ReturnType<typeof useWizard>;

/** Guides the person to a registration: first the proof that it needs, if any, then the registration that carries it. */
export function useWizard({ org, orgID }: NamedOrganization) {
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

  const isFirst = ownAuthenticators !== null && isNone(ownAuthenticators);
  const { enrolment, mode, refusal, reload } = useFirstEnrolment(orgID, isFirst);
  const companyAddress = useCompanyAddress(orgID);
  const { emailCode } = companyAddress;

  const state = wizardState({
    ownAuthenticators,
    isRequired,
    hasProof: proof !== null,
    preferCode: stepUp.preferCode,
    mode,
    hasEmailCode: emailCode !== null,
  });

  /** The proof of the registration; an old step-up is renewed. Null if the person has to authenticate first. */
  const prove = async (): Promise<Proofs | null> => {
    if (!proof) return mode === 'email' && emailCode ? { emailCode } : {};
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

  /** Goes back to the step whose proof the server refused. Resolves to false for any other refusal. */
  const handleRefusal = async (error: ApiError): Promise<boolean> => {
    const step = isFirst && refusedStep(error.code);
    if (step) {
      companyAddress.refuse(step, error.message);
      // The organization may ask for an address since this page was opened.
      if (mode !== 'email') reload();
      return true;
    }
    if (proof && isProofRefused(error)) setProof(null);
    else if (error.code === 'stepUpRequired') await requireStepUp();
    else return false;
    stepUp.refuse(error);
    return true;
  };

  const failed = !ownAuthenticators && fresh === 'failed';
  return {
    state,
    ownAuthenticators,
    failed,
    refusal,
    enrolment,
    companyAddress,
    stepUp,
    setProof,
    prove,
    handleRefusal,
  };
}

const isNone = ({ totp, webauthn }: OwnAuthenticators) => !totp && webauthn.length === 0;

/**
 * Reads how the organization guards this person's first authenticator. `mode` is null until that is known, and
 * `refusal` says why they can't register there at all. Without an answer the mode is `open`: the server decides anyway,
 * and says what is missing.
 */
export function useFirstEnrolment(orgID: string, isFirst: boolean) {
  const { api } = useClient();
  const { loaded, reload } = useLoaded(['first enrolment', orgID, isFirst], async () =>
    isFirst ? readEnrolment(api, orgID) : null,
  );
  const enrolment = loaded.status === 'ok' ? loaded.value : null;
  const mode = loaded.status === 'failed' ? 'open' : (enrolment?.mode ?? null);
  const isRefused = loaded.status === 'failed' && NO_ACCESS.includes(loaded.code);
  return { enrolment, mode, refusal: isRefused ? loaded : null, reload } as const;
}
