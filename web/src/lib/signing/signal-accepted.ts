import { userHandleText } from '../../../../src/contract/authenticator-kinds.ts';
import type { Session } from '../session/session.ts';
import { hashOfText } from './check-statement.ts';

type Accepted = { rpId: string; userId: string; allAcceptedCredentialIds: string[] };
type Signals = { signalAllAcceptedCredentials?: (accepted: Accepted) => Promise<void> };

/**
 * Tells the browser which credentials the server accepts from the person in an organization, so that it offers no other
 * one (WebAuthn Level 3, section 5.1.10.2). It hides those, and shows them again if they are on a later list.
 *
 * Never rejects. Says nothing unless the session was refreshed, because an old list would hide what still counts.
 */
export async function signalAccepted(session: Pick<Session, 'getState'>, orgID: string): Promise<void> {
  const signals = globalThis.PublicKeyCredential as (typeof PublicKeyCredential & Signals) | undefined;
  const state = session.getState();
  if (!signals?.signalAllAcceptedCredentials || state.status !== 'signed-in' || state.fresh !== 'yes') return;
  const { user } = state;
  const { webauthn, pending } = user.authenticators[orgID] ?? { webauthn: [] };
  try {
    await signals.signalAllAcceptedCredentials({
      // The relying party is the host name of the dashboard.
      rpId: window.location.hostname,
      userId: await hashOfText(userHandleText(user.id, orgID)),
      allAcceptedCredentialIds: [...webauthn, ...(pending ? [pending] : [])].map(({ id }) => id),
    });
  } catch {
    // A browser may refuse; the person then sees one choice too many.
  }
}
