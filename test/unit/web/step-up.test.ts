import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../web/src/lib/api-client.ts';
import {
  type Action,
  isFresh,
  isProofRefused,
  PROOF_FRESH_MS,
  type Proof,
  proveByCode,
  proveByKey,
} from '../../../web/src/lib/step-up.ts';
import { problemOf } from './problem-of.ts';

const deletion: Action = {
  type: 'delete-authenticator',
  org: 'octo-org',
  orgID: '9919',
  authenticatorID: 'abcdefghijklmno',
};
const byCode = proveByCode(deletion, '123456', 1000);
const byKey: Proof = { stepUp: { type: 'register-authenticator', webauthn: {} }, madeAt: 1000 };

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
    return { id: 'key' };
  };
  const post = async () => {
    time += 1;
    return { options: { challenge: 'AA' } } as never;
  };
  const proof = await proveByKey({ api: { post }, now: () => time, sign }, deletion);
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
