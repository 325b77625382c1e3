import { expect, test } from '@jest/globals';
import { countAuthenticators } from '../../../web/src/features/home/count-authenticators.ts';

test('counts keys and codes in all organizations', () => {
  expect(countAuthenticators({ authenticators: {} })).toBe(0);
  expect(
    countAuthenticators({
      authenticators: {
        9919: { totp: true, webauthn: [{ id: 'a' }, { id: 'b' }] },
        2: { totp: false, webauthn: [{ id: 'c' }] },
      },
    }),
  ).toBe(4);
});
