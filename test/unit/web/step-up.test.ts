import { describe, expect, test } from '@jest/globals';
import {
  type Action,
  isFresh,
  PROOF_FRESH_MS,
  type Proof,
  proveByCode,
  spendsProof,
} from '../../../web/src/lib/step-up.ts';

const deletion: Action = {
  type: 'delete-authenticator',
  org: 'octo-org',
  orgID: '9919',
  authenticatorID: 'abcdefghijklmno',
};
const byCode = proveByCode(deletion, '123456', 1000);
const byKey: Proof = { stepUp: { type: 'register-authenticator', webauthn: {} }, madeAt: 1000 };

test('a code proves the action and its record, and nothing else goes along', () => {
  expect(byCode.stepUp).toEqual({
    type: 'delete-authenticator',
    authenticatorID: 'abcdefghijklmno',
    otp: '123456',
  });
  const registration = proveByCode({ type: 'register-authenticator', org: 'o', orgID: '1' }, '123456', 0);
  expect(registration.stepUp).toEqual({ type: 'register-authenticator', otp: '123456' });
});

test('the proof of a key must be made again when its challenge may not outlive the next ceremony', () => {
  expect(isFresh(byKey, 1000 + PROOF_FRESH_MS - 1)).toBe(true);
  expect(isFresh(byKey, 1000 + PROOF_FRESH_MS)).toBe(false);
  expect(isFresh(byCode, Number.MAX_SAFE_INTEGER)).toBe(true);
});

describe('a refusal leads back to the authentication', () => {
  test.each<[string, Proof, number, boolean]>([
    ['when the proof of a key is stale or used', byKey, 403, true],
    ['when a code is wrong or used', byCode, 403, true],
    ['when codes are locked', byCode, 429, true],
    ['but not a key for too many requests', byKey, 429, false],
    ['but not when it is about something else', byKey, 409, false],
    ['but not when GitHub does not answer', byCode, 502, false],
  ])('%s', (_, proof, status, back) => {
    expect(spendsProof(proof, status)).toBe(back);
  });
});
