import { expect, test } from '@jest/globals';
import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';
import { webauthnSentence } from '../../../web/src/lib/webauthn-errors.ts';

test.each<[WebAuthnErrorCode, string | null]>([
  ['ERROR_CEREMONY_ABORTED', null],
  ['ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED', 'The authenticator was previously registered'],
  ['ERROR_INVALID_DOMAIN', 'Passkeys do not work on this address. Open OTP Guard by its usual address.'],
  ['ERROR_INVALID_RP_ID', 'The passkey belongs to another address. Open OTP Guard by its usual address.'],
  [
    'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT',
    'This authenticator cannot keep a passkey. Use another one.',
  ],
  [
    'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT',
    'This authenticator cannot check that it is you. Set up a PIN, a fingerprint or a face, or use another one.',
  ],
  [
    'ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG',
    'This authenticator cannot make a kind of key that OTP Guard takes. Use another one.',
  ],
  ['ERROR_INVALID_USER_ID_LENGTH', 'Unknown error: why'],
  [
    'ERROR_AUTHENTICATOR_GENERAL_ERROR',
    'The authenticator reported an error. Try again, or use another one.',
  ],
])('%s reads: %s', (code, sentence) => {
  const error = new WebAuthnError({ message: 'why', code, cause: new Error('as the browser says') });
  expect(webauthnSentence(error, 'registration')).toBe(sentence);
});
