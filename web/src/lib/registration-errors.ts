import type { WebAuthnErrorCode } from '@simplewebauthn/browser';
import { TEXTS, webauthnErrorText } from './webauthn-errors.ts';

/**
 * The text for each of the library's other codes. Null for malformed requests: a person can't fix those, so the
 * library's own message is shown.
 */
const REGISTRATION: Record<Exclude<WebAuthnErrorCode, keyof typeof TEXTS>, string | null> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'The authenticator was previously registered\nYou can use it already, or register another one.',
  ERROR_INVALID_USER_ID_LENGTH: null,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: null,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    "This authenticator doesn't support the key types that OTP Guard accepts. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    "This authenticator can't store a passkey. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    "This authenticator can't verify that it's you. Set up a PIN, fingerprint or face, or use another one.",
  ERROR_AUTO_REGISTER_USER_VERIFICATION_FAILURE: null,
  ERROR_SIGNAL_INVALID_ARGUMENT: null,
};

/** What the banner says about a failed registration; null if this page aborted it. */
export const registrationErrorText = (error: unknown): string | null =>
  webauthnErrorText(error, 'Registration was not completed', { ...TEXTS, ...REGISTRATION });
