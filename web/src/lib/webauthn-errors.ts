import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';

export type Ceremony = 'registration' | 'authentication';

const NOT_COMPLETED: Record<Ceremony, string> = {
  registration: 'Registration was not completed',
  authentication: 'Authentication was not completed',
};

/**
 * One sentence for each code of the library. Null where the ceremony decides (see below), and for faults of the
 * request that no person can mend: those show the library's own words.
 */
const SENTENCES: Record<WebAuthnErrorCode, string | null> = {
  ERROR_CEREMONY_ABORTED: null,
  ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY: null,
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'The authenticator was previously registered',
  ERROR_INVALID_DOMAIN: 'Passkeys do not work on this address. Open OTP Guard by its usual address.',
  ERROR_INVALID_RP_ID: 'The passkey belongs to another address. Open OTP Guard by its usual address.',
  ERROR_INVALID_USER_ID_LENGTH: null,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: null,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    'This authenticator cannot make a kind of key that OTP Guard takes. Use another one.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This authenticator cannot keep a passkey. Use another one.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This authenticator cannot check that it is you. Set up a PIN, a fingerprint or a face, or use another one.',
  ERROR_AUTO_REGISTER_USER_VERIFICATION_FAILURE: null,
  ERROR_AUTHENTICATOR_GENERAL_ERROR: 'The authenticator reported an error. Try again, or use another one.',
  ERROR_SIGNAL_INVALID_ARGUMENT: null,
};

/** What the person reads when a ceremony failed; null when this page ended it itself and nothing is to be said. */
export function webauthnSentence(error: unknown, ceremony: Ceremony): string | null {
  if (!(error instanceof Error)) return `Unknown error: ${String(error)}`;
  // WebAuthn gives one name to a cancelled, a refused and an expired prompt, so that sites cannot tell them apart.
  if (error.name === 'NotAllowedError') return NOT_COMPLETED[ceremony];
  if (!(error instanceof WebAuthnError)) return plainSentence(error);
  if (error.code === 'ERROR_CEREMONY_ABORTED') return null;
  return SENTENCES[error.code] ?? `Unknown error: ${error.message}`;
}

/** The library throws these two as plain errors, already in the words that the person reads. */
function plainSentence(error: Error): string {
  const known = ['WebAuthn is not supported in this browser', ...Object.values(NOT_COMPLETED)];
  return known.includes(error.message) ? error.message : `Unknown error: ${error.message}`;
}
