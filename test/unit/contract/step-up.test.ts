import { expect, test } from '@jest/globals';
import { stepUp } from '../../../src/contract/step-up.ts';

const key = {
  id: 'a',
  rawId: 'a',
  type: 'public-key',
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' },
  clientExtensionResults: {},
};

test.each(
  Object.entries({ 'neither a code nor a key': {}, 'both of them': { otp: '123456', webauthn: key } }),
)('refuses a step-up with %s', (_, proof) => {
  const { error } = stepUp.safeParse({ type: 'delete-authenticator', ...proof });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Confirm with one authenticator: a passkey, a security key or a one-time code.',
  ]);
});
