import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { webauthnErrorText } from '../../lib/webauthn-errors.ts';

const CHALLENGE_BYTES = 32;

/**
 * Asks for a touch of one credential, to know that the person has it. Nothing is sent: without this, the page would show
 * them the code of a credential that somebody else registered with their session.
 */
export function useTouch(keyId: string, onTouched: () => void) {
  const [isWaiting, setIsWaiting] = useState(false);
  const [error, setError] = useState<string | null>(null);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const touch = async () => {
    setIsWaiting(true);
    setError(null);
    try {
      const { id } = await startAuthentication({
        optionsJSON: { challenge: randomChallenge(), allowCredentials: [{ id: keyId, type: 'public-key' }] },
      });
      if (id === keyId) onTouched();
    } catch (cause) {
      setError(webauthnErrorText(cause));
    } finally {
      setIsWaiting(false);
    }
  };

  return { isWaiting, error, touch: () => void touch() };
}

/** Base64url. */
function randomChallenge(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
