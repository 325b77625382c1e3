type Signals = {
  signalUnknownCredential?: (credential: { rpId: string; credentialId: string }) => Promise<void>;
};

/**
 * Tells the browser that the server knows a credential no more, so that it is not offered again: WebAuthn Level 3,
 * section 5.1.10.1. Never rejects; false where the browser cannot do it or does not want to.
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
