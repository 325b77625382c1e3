import { useEffect, useState } from 'react';

/** Tells whether this browser supports passkeys and security keys at all. */
export const hasWebauthn = (): boolean => typeof window.PublicKeyCredential === 'function';

/** The second line of the banner if that is why a person can't continue. */
export const OTHER_BROWSER =
  "This browser doesn't support passkeys or security keys. Open this page in another one.";

/**
 * Tells whether a passkey can be made on this device (WebAuthn Level 3, section 5.1.7); false if the browser doesn't
 * say.
 */
async function hasPlatformAuthenticator(): Promise<boolean> {
  try {
    return hasWebauthn() && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
  } catch {
    return false;
  }
}

/** Tells a page whether a passkey can be made on this device; null until the browser has answered. */
export function useHasPlatformAuthenticator(): boolean | null {
  const [has, setHas] = useState<boolean | null>(null);
  useEffect(() => {
    void hasPlatformAuthenticator().then(setHas);
  }, []);
  return has;
}
