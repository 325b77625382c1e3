import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';

export type Ceremony = 'registration' | 'authentication';

const NOT_COMPLETED: Record<Ceremony, string> = {
  registration: 'Registration was not completed',
  authentication: 'Authentication was not completed',
};
const CANCELLED = 'Passkey prompt was cancelled or timed out. Try again.';
const USUAL_ADDRESS = 'Open OTP Guard at its usual address.';

/**
 * The text for each code of the library. Null for an aborted ceremony, for errors that only their cause explains, and
 * for malformed requests: a person can't fix those, so the library's own message is shown.
 */
const TEXTS: Record<WebAuthnErrorCode, string | null> = {
  ERROR_CEREMONY_ABORTED: null,
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: null,
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'The authenticator was previously registered\nYou can use it already, or register another one.',
  ERROR_INVALID_DOMAIN: `Passkeys don't work at this address. ${USUAL_ADDRESS}`,
  ERROR_INVALID_RP_ID: `The passkey belongs to another address. ${USUAL_ADDRESS}`,
  ERROR_INVALID_USER_ID_LENGTH: null,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: null,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    "This authenticator doesn't support the key types that OTP Guard accepts. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    "This authenticator can't store a passkey. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    "This authenticator can't verify that it's you. Set up a PIN, fingerprint or face, or use another one.",
  ERROR_AUTO_REGISTER_USER_VERIFICATION_FAILURE: null,
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'Something went wrong with your passkey. Try again or use another.',
  ERROR_SIGNAL_INVALID_ARGUMENT: null,
};

/**
 * What the banner says about a failed ceremony: what happened, and on a second line what to do. Null if this page
 * aborted the ceremony itself.
 */
export function webauthnErrorText(error: unknown, ceremony: Ceremony): string | null {
  if (!(error instanceof Error)) return `Unknown error: ${String(error)}`;
  // WebAuthn reports a cancelled, a refused and an expired prompt alike, so that sites can't tell them apart.
  if (error.name === 'NotAllowedError') return `${NOT_COMPLETED[ceremony]}\n${CANCELLED}`;
  if (!(error instanceof WebAuthnError)) return plainErrorText(error);
  if (error.code === 'ERROR_CEREMONY_ABORTED') return null;
  return TEXTS[error.code] ?? `Unknown error: ${error.message}`;
}

/** The library throws a few errors without a code, whose messages the specification has word for word. */
function plainErrorText(error: Error): string {
  const known = ['WebAuthn is not supported in this browser', ...Object.values(NOT_COMPLETED)];
  return known.includes(error.message) ? error.message : `Unknown error: ${error.message}`;
}
