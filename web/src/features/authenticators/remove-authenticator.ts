import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { ApiClient } from '../../lib/api-client.ts';
import type { Authenticator } from '../../lib/authenticator.ts';
import { forgetCredential } from '../../lib/forget-credential.ts';
import type { StepUp } from '../../lib/step-up.ts';

type Deps = {
  api: Pick<ApiClient, 'remove'>;
  session: { accessToken(): string; refresh(): Promise<void> };
};

/**
 * Deletes an authenticator with a proof for this deletion; with `lostSince` (RFC 3339), as lost or stolen. For the person's own, it also refreshes the session and asks
 * the browser to forget the credential. Rejects with an `ApiError`; nothing is deleted then.
 */
export async function removeAuthenticator(
  { api, session }: Deps,
  { id, type, keyId }: Pick<Authenticator, 'id' | 'type' | 'keyId'>,
  { isOwn, stepUp, lostSince }: { isOwn: boolean; stepUp: StepUp; lostSince: string | null },
): Promise<void> {
  await api.remove(`/api/collections/${authenticatorKinds[type].collection}/records/${id}`, {
    'X-GitHub-Token': session.accessToken(),
    'X-Step-Up': JSON.stringify(stepUp),
    ...(lostSince !== null && { 'X-Lost-Since': lostSince }),
  });
  if (isOwn) await Promise.all([session.refresh(), keyId !== '' && forgetCredential(keyId)]);
}
