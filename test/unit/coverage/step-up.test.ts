import { expect, test } from '@jest/globals';
import { stepUp } from '../../../src/contract/step-up.ts';

const key = {
  id: 'a',
  rawId: 'a',
  type: 'public-key',
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' },
  clientExtensionResults: {},
};

test.each([
  ['none', {}],
  ['both', { otp: '123456', webauthn: key }],
])('a step-up takes one of a code and a key, and not %s', (_, proof) => {
  const { error } = stepUp.safeParse({ type: 'delete-authenticator', ...proof });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Confirm with one authenticator: a passkey, a security key or a one-time code.',
  ]);
});
