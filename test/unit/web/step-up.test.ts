import { describe, expect, test } from '@jest/globals';
import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser';
import { registrationErrorText } from '../../../web/src/features/registration/use-registration.ts';
import { ApiError } from '../../../web/src/lib/api/api-client.ts';
import {
  type Action,
  isFresh,
  isProofRefused,
  PROOF_FRESH_MS,
  type Proof,
  proveByCode,
  proveByKey,
} from '../../../web/src/lib/signing/step-up.ts';
import { webauthnErrorText } from '../../../web/src/lib/signing/webauthn-errors.ts';
import { ASSERTED, fakeApi, problemOf } from './fixtures.ts';

const deletion: Action = {
  type: 'delete-authenticator',
  org: 'octo-org',
  orgID: '9919',
  authenticatorID: 'abcdefghijklmno',
};
const byCode = proveByCode(deletion, '123456', 1000);
const byKey: Proof = { stepUp: { type: 'register-authenticator', webauthn: ASSERTED }, madeAt: 1000 };

test('the proof by a code names the action, its record and the code, and nothing else', () => {
  expect(byCode.stepUp).toEqual({
    type: 'delete-authenticator',
    authenticatorID: 'abcdefghijklmno',
    otp: '123456',
  });
  const registration = proveByCode({ type: 'register-authenticator', org: 'o', orgID: '1' }, '123456', 0);
  expect(registration.stepUp).toEqual({ type: 'register-authenticator', otp: '123456' });
});

test('a passkey proof becomes stale after 30 seconds, and a code never does', () => {
  expect(isFresh(byKey, 1000 + PROOF_FRESH_MS - 1)).toBe(true);
  expect(isFresh(byKey, 1000 + PROOF_FRESH_MS)).toBe(false);
  expect(isFresh(byCode, Number.MAX_SAFE_INTEGER)).toBe(true);
});

test('a passkey proof is as old as its challenge, however long the person took to sign it', async () => {
  let time = 1000;
  const sign = async () => {
    time += PROOF_FRESH_MS;
    return ASSERTED;
  };
  const { api } = fakeApi({
    '/webauthn-challenge': () => {
      time += 1;
      return { challenge: 'AA', options: { challenge: 'AA' } };
    },
  });
  const proof = await proveByKey({ api, accessToken: () => 'ghu_token', now: () => time, sign }, deletion);
  expect([proof.madeAt, isFresh(proof, time)]).toEqual([1000, false]);
});

describe('isProofRefused', () => {
  test.each<[string, unknown, boolean]>([
    ['a stale passkey proof', new ApiError(problemOf('challengeExpired')), true],
    ['a wrong code', new ApiError(problemOf('wrongCode')), true],
    ['locked codes', new ApiError(problemOf('tooManyCodes')), true],
    ['too many requests', new ApiError(problemOf('tooManyRequests')), false],
    ['a key that the organization does not accept', new ApiError(problemOf('notAccepted')), false],
    ['a GitHub that does not answer', new ApiError(problemOf('githubUnavailable')), false],
    ['no answer', new ApiError(), false],
    ['another error', new Error('wrongCode'), false],
  ])('answers for %s', (_, error, isRefused) => {
    expect(isProofRefused(error)).toBe(isRefused);
  });
});

const named = (name: string) => Object.assign(new Error('as the browser says'), { name });
const coded = (code: WebAuthnErrorCode, cause = named('Error')) =>
  new WebAuthnError({ message: 'why', code, cause });

const CLOSED = 'You closed the prompt, or it timed out.';

test.each([
  [
    named('NotAllowedError'),
    'registration',
    `Registration was not completed\n${CLOSED} Nothing was registered.`,
  ],
  [
    named('NotAllowedError'),
    'authentication',
    `Authentication was not completed\n${CLOSED} Nothing was changed.`,
  ],
  [
    coded('ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY', named('NotAllowedError')),
    'authentication',
    `Authentication was not completed\n${CLOSED} Nothing was changed.`,
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
