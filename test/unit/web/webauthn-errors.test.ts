import { expect, test } from '@jest/globals';
import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';
import { webauthnSentence } from '../../../web/src/lib/webauthn-errors.ts';

const named = (name: string) => Object.assign(new Error('as the browser says'), { name });
const coded = (code: WebAuthnErrorCode, cause = named('Error')) =>
  new WebAuthnError({ message: 'why', code, cause });

test.each([
  [named('NotAllowedError'), 'registration', 'Registration was not completed'],
  [named('NotAllowedError'), 'authentication', 'Authentication was not completed'],
  [
    coded('ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', named('NotAllowedError')),
    'authentication',
    'Authentication was not completed',
  ],
  [
    new Error('WebAuthn is not supported in this browser'),
    'registration',
    'WebAuthn is not supported in this browser',
  ],
  [new Error('Registration was not completed'), 'registration', 'Registration was not completed'],
  [
    coded('ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'),
    'registration',
    'The authenticator was previously registered',
  ],
  [
    coded('ERROR_INVALID_RP_ID'),
    'registration',
    'The passkey belongs to another address. Open OTP Guard by its usual address.',
  ],
  [coded('ERROR_MALFORMED_PUBKEYCREDPARAMS'), 'registration', 'Unknown error: why'],
  [new Error('surprise'), 'authentication', 'Unknown error: surprise'],
  ['a text', 'authentication', 'Unknown error: a text'],
] as const)('%s in a %s reads: %s', (error, ceremony, sentence) => {
  expect(webauthnSentence(error, ceremony)).toBe(sentence);
});

test('says nothing about a ceremony that the page itself ended', () => {
  expect(webauthnSentence(coded('ERROR_CEREMONY_ABORTED', named('AbortError')), 'authentication')).toBeNull();
});
