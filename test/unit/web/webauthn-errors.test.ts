import { expect, test } from '@jest/globals';
import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';
import { registrationErrorText } from '../../../web/src/features/registration/use-registration.ts';
import { webauthnErrorText } from '../../../web/src/lib/webauthn-errors.ts';

const named = (name: string) => Object.assign(new Error('as the browser says'), { name });
const coded = (code: WebAuthnErrorCode, cause = named('Error')) =>
  new WebAuthnError({ message: 'why', code, cause });

const CANCELLED = 'Passkey prompt was cancelled or timed out. Try again.';

test.each([
  [named('NotAllowedError'), 'registration', `Registration was not completed\n${CANCELLED}`],
  [named('NotAllowedError'), 'authentication', `Authentication was not completed\n${CANCELLED}`],
  [
    coded('ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', named('NotAllowedError')),
    'authentication',
    `Authentication was not completed\n${CANCELLED}`,
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
    'The authenticator was previously registered\nYou can use it already, or register another one.',
  ],
  [
    coded('ERROR_INVALID_RP_ID'),
    'registration',
    'The passkey belongs to another address. Open OTP Guard at its usual address.',
  ],
  [
    coded('ERROR_INVALID_USER_ID_LENGTH'),
    'registration',
    'The browser refused the request of OTP Guard. Reload this page; if that is no help, tell its operator.',
  ],
  [
    new Error('surprise'),
    'authentication',
    'Unknown error: surprise\nTry again, or use another authenticator.',
  ],
  ['a text', 'authentication', 'Unknown error: a text'],
  [
    coded('ERROR_AUTHENTICATOR_GENERAL_ERROR'),
    'authentication',
    'Something went wrong with your passkey. Try again or use another.',
  ],
] as const)('explains %s during %s as %j', (error, ceremony, text) => {
  const shown = ceremony === 'registration' ? registrationErrorText(error) : webauthnErrorText(error);
  expect(shown).toBe(text);
});

test('has no text for a ceremony that the page itself aborted', () => {
  expect(webauthnErrorText(coded('ERROR_CEREMONY_ABORTED', named('AbortError')))).toBeNull();
});
