type Signals = {
  signalUnknownCredential?: (credential: { rpId: string; credentialId: string }) => Promise<void>;
};

/**
 * Asks the browser to stop offering a credential that the server no longer has: WebAuthn Level 3, section 5.1.10.1.
 * Never rejects; false if the browser doesn't support this or refuses.
 */
export async function forgetCredential(credentialId: string): Promise<boolean> {
  const signals = globalThis.PublicKeyCredential as (typeof PublicKeyCredential & Signals) | undefined;
  if (!signals?.signalUnknownCredential) return false;
  try {
    // The relying party is the host name of the dashboard.
    await signals.signalUnknownCredential({ rpId: window.location.hostname, credentialId });
    return true;
  } catch {
    return false;
  }
}
