import type { WebAuthnErrorCode } from '@simplewebauthn/browser';
import { TEXTS, webauthnErrorText } from './webauthn-errors.ts';

/** A person can't fix a malformed request, so the operator has to hear of it. */
const MALFORMED =
  'The browser refused the request of OTP Guard. Reload this page; if that is no help, tell its operator.';

/** The text for each of the library's other codes. */
const REGISTRATION: Record<Exclude<WebAuthnErrorCode, keyof typeof TEXTS>, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'The authenticator was previously registered\nYou can use it already, or register another one.',
  ERROR_INVALID_USER_ID_LENGTH: MALFORMED,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: MALFORMED,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    "This authenticator doesn't support the key types that OTP Guard accepts. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    "This authenticator can't store a passkey. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    "This authenticator can't verify that it's you. Set up a PIN, fingerprint or face, or use another one.",
  ERROR_AUTO_REGISTER_USER_VERIFICATION_FAILURE:
    "Your password manager couldn't verify that it's you. Try again.",
  ERROR_SIGNAL_INVALID_ARGUMENT: MALFORMED,
};

/** What the banner says about a failed registration; null if this page aborted it. */
export const registrationErrorText = (error: unknown): string | null =>
  webauthnErrorText(error, 'Registration was not completed', { ...TEXTS, ...REGISTRATION });
