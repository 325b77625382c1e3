import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { type ApiClient, ApiError } from '../../lib/api/api-client.ts';
import { useClient, useUser } from '../../lib/react/use-client.ts';
import type { Session } from '../../lib/session/session.ts';
import type { Authenticator } from '../../lib/signing/authenticator.ts';
import { signalAccepted } from '../../lib/signing/signal-accepted.ts';
import { isProofRefused, type Proof, type StepUp } from '../../lib/signing/step-up.ts';
import { useProvenAction } from '../../lib/signing/use-proven-action.ts';

export type Removal = ReturnType<typeof useRemoval>;

/** The deletion of one authenticator. A refused proof leads back to the authentication, any other error to the view. */
export function useRemoval(authenticator: Authenticator, onRemoved: () => void) {
  const { api, session } = useClient();
  const isOwn = authenticator.userId === useUser().id;
  const [step, setStep] = useState<'view' | 'stepUp'>('view');
  const [lostSince, setLostSince] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const enter = (next: typeof step) => {
    setFailure(null);
    setStep(next);
  };
  const remove = async ({ stepUp }: Proof) => {
    try {
      await removeAuthenticator({ api, session }, authenticator, { isOwn, stepUp, lostSince });
    } catch (cause) {
      if (isProofRefused(cause)) throw cause;
      setStep('view');
      setFailure(cause instanceof ApiError ? cause.message : 'Error deleting authenticator');
      return;
    }
    onRemoved();
  };
  const { id, org } = authenticator;
  const action = {
    type: 'delete-authenticator',
    org: org.name,
    orgID: org.orgId,
    authenticatorID: id,
  } as const;
  const { pending, form } = useProvenAction(action, remove);
  const mode: typeof step | 'deleting' = pending ? 'deleting' : step;
  return { mode, failure, form, setLostSince, enter };
}

type Deps = {
  api: Pick<ApiClient, 'remove'>;
  session: Pick<Session, 'getState' | 'refresh'> & { accessToken(): string };
};

/**
 * Deletes an authenticator with a proof for this deletion; with `lostSince` (RFC 3339), as lost or stolen. For the
 * person's own, it also refreshes the session and tells the browser which credentials are left. Rejects with an
 * `ApiError`; nothing is deleted then.
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
