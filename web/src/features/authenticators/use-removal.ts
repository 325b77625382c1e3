import { useState } from 'react';
import { ApiError } from '../../lib/api-client.ts';
import type { Authenticator } from '../../lib/authenticator-records.ts';
import { type Proof, spendsProof } from '../../lib/step-up.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useStepUp } from '../../lib/use-step-up.ts';
import { removeAuthenticator } from './remove.ts';

/** What the page of an authenticator is at. */
export type Mode = 'view' | 'stepUp' | 'deleting';

/** The deletion of one authenticator, from the press of the button to its end. */
export function useRemoval(authenticator: Authenticator) {
  const { api, session } = useClient();
  const isOwn = authenticator.userId === useUser().id;
  const [mode, setMode] = useState<Mode>('view');
  const [error, setError] = useState<string | null>(null);
  const stepUp = useStepUp({
    type: 'delete-authenticator',
    org: authenticator.org.name,
    orgID: authenticator.org.orgId,
    authenticatorID: authenticator.id,
  });

  const enter = (next: 'view' | 'stepUp') => {
    setError(null);
    setMode(next);
  };

  /** True when it is deleted. A refusal of the proof leads back to the authentication, any other to the view. */
  const remove = async (proof: Proof): Promise<boolean> => {
    setMode('deleting');
    setError(null);
    try {
      await removeAuthenticator({ api, session }, authenticator, { isOwn, stepUp: proof.stepUp });
      return true;
    } catch (cause) {
      if (cause instanceof ApiError && spendsProof(proof, cause.status)) {
        stepUp.refuse(cause);
        setMode('stepUp');
      } else {
        setError(cause instanceof ApiError ? cause.message : 'Error deleting authenticator');
        setMode('view');
      }
      return false;
    }
  };

  return { mode, error, stepUp, isOwn, enter, remove };
}
