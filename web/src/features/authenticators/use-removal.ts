import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { type ApiClient, ApiError } from '../../lib/api-client.ts';
import type { Authenticator } from '../../lib/authenticator.ts';
import type { Session } from '../../lib/session.ts';
import { signalAccepted } from '../../lib/signal-accepted.ts';
import { isProofRefused, type Proof, type StepUp } from '../../lib/step-up.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useStepUp } from '../../lib/use-step-up.ts';

/** The state of an authenticator's page. */
type Mode = 'view' | 'stepUp' | 'deleting';

export type Removal = ReturnType<typeof useRemoval>;

/** The deletion of one authenticator: its mode, its error and its step-up. */
export function useRemoval(authenticator: Authenticator) {
  const { api, session } = useClient();
  const isOwn = authenticator.userId === useUser().id;
  const [mode, setMode] = useState<Mode>('view');
  const [lostSince, setLostSince] = useState<string | null>(null);
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

  /**
   * Resolves to true once it's deleted. If the server refuses the proof, the page goes back to the authentication; for
   * any other error it goes back to the view.
   */
  const remove = async (proof: Proof): Promise<boolean> => {
    setMode('deleting');
    setError(null);
    try {
      await removeAuthenticator({ api, session }, authenticator, { isOwn, stepUp: proof.stepUp, lostSince });
      return true;
    } catch (cause) {
      if (isProofRefused(cause)) {
        stepUp.refuse(cause);
        setMode('stepUp');
      } else {
        setError(cause instanceof ApiError ? cause.message : 'Error deleting authenticator');
        setMode('view');
      }
      return false;
    }
  };

  return { mode, error, stepUp, isOwn, lostSince, setLostSince, enter, remove };
}

type Deps = {
  api: Pick<ApiClient, 'remove'>;
  session: Pick<Session, 'getState' | 'refresh'> & { accessToken(): string };
};

/**
 * Deletes an authenticator with a proof for this deletion; with `lostSince` (RFC 3339), as lost or stolen. For the person's own, it also refreshes the session and tells
 * the browser which credentials are left. Rejects with an `ApiError`; nothing is deleted then.
 */
export async function removeAuthenticator(
  { api, session }: Deps,
  { id, type, org }: Pick<Authenticator, 'id' | 'type' | 'org'>,
  { isOwn, stepUp, lostSince }: { isOwn: boolean; stepUp: StepUp; lostSince: string | null },
): Promise<void> {
  await api.remove(`/api/collections/${authenticatorKinds[type].collection}/records/${id}`, {
    'X-GitHub-Token': session.accessToken(),
    'X-Step-Up': JSON.stringify(stepUp),
    ...(lostSince !== null && { 'X-Lost-Since': lostSince }),
  });
  if (!isOwn) return;
  await session.refresh();
  await signalAccepted(session, org.orgId);
}
