import { expect, test } from '@jest/globals';
import { addedWithText, cameInText } from '../../../web/src/lib/proof-text.ts';

type CameIn = Parameters<typeof addedWithText>[0];

const key: CameIn = { enrolled: 'open', addedWith: null, vouchedBy: [] };

test.each<[Partial<CameIn>, boolean, string]>([
  [{ addedWith: 'passkey' }, true, 'your passkey, which began with a GitHub sign-in'],
  [{ addedWith: 'passkey' }, false, 'their passkey, which began with a GitHub sign-in'],
  [{ addedWith: 'key' }, true, 'your passkey or security key, which began with a GitHub sign-in'],
  [
    { addedWith: 'totp', enrolled: 'email' },
    true,
    'your authenticator app, which began with a code sent to a company address',
  ],
  [
    { addedWith: 'security-key', enrolled: 'vouched', vouchedBy: ['mona', 'octocat'] },
    false,
    'their security key, which was vouched for by mona, who was vouched for by octocat',
  ],
])('a key with %j, own: %s, was added with %s', (change, isOwn, text) => {
  expect(addedWithText({ ...key, ...change }, isOwn)).toBe(text);
});

test('a first key was added with no other one', () => {
  expect([addedWithText(key, true), cameInText(key)]).toEqual([null, 'With a GitHub sign-in alone']);
});
