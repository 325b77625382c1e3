import type { ApiClient } from '../../lib/api-client.ts';
import { type Authenticator, collectionOf } from '../../lib/authenticator-records.ts';
import { forgetCredential } from '../../lib/forget-credential.ts';
import type { StepUp } from '../../lib/step-up.ts';

type Deps = {
  api: Pick<ApiClient, 'remove'>;
  session: { accessToken(): string; refresh(): Promise<void> };
};

/**
 * Deletes an authenticator with the proof for exactly that. Where it is one's own, the session's map and, where the
 * browser can, its list of passkeys follow; what is somebody else's is in neither. Rejects with an `ApiError`; nothing
 * is deleted then.
 */
export async function removeAuthenticator(
  { api, session }: Deps,
  { id, type, keyId }: Pick<Authenticator, 'id' | 'type' | 'keyId'>,
  { isOwn, stepUp }: { isOwn: boolean; stepUp: StepUp },
): Promise<void> {
  await api.remove(`/api/collections/${collectionOf(type)}/records/${id}`, {
    'X-GitHub-Token': session.accessToken(),
    'X-Step-Up': JSON.stringify(stepUp),
  });
  if (isOwn) await Promise.all([session.refresh(), keyId !== '' && forgetCredential(keyId)]);
}
