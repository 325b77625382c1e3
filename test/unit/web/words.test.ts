import { describe, expect, test } from '@jest/globals';
import { inOrder } from '../../../web/src/components/text.tsx';
import { addedWithText, cameInText } from '../../../web/src/lib/proof-text.ts';
import {
  type CodeState,
  canSubmitCode,
  codeState,
  toDigits,
} from '../../../web/src/lib/signing/one-time-code.ts';
import { ago, dayOf, exactTime, formatWait, timeToday, toIso } from '../../../web/src/lib/times.ts';

describe('toDigits', () => {
  test.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    [' 123-456\n', '123456'],
    ['１２３４５６', '123456'],
    ['١٢٣٤٥٦', ''],
    ['12a34', '1234'],
    ['1'.repeat(10_000), '1'.repeat(12)],
  ])('reads %j as %j', (text, digits) => {
    expect(toDigits(text)).toBe(digits);
  });
});

describe('codeState', () => {
  const isRight = (code: string) => code === '123456';

  test.each<[string, CodeState]>([
    ['', 'unset'],
    ['12345', 'unset'],
    ['123456', 'valid'],
    ['123457', 'invalid'],
    ['1234567', 'invalid'],
  ])('%j is %s if the secret is known', (code, state) => {
    expect(codeState(code, isRight)).toBe(state);
  });

  test('six digits are unset if only the server knows the secret', () => {
    expect([codeState('123456'), codeState('1234567')]).toEqual(['unset', 'invalid']);
  });
});

test.each<[string, CodeState, boolean]>([
  ['123456', 'valid', true],
  ['123456', 'unset', true],
  ['123456', 'invalid', false],
  ['12345', 'unset', false],
])('canSubmitCode(%j, %j) is %s', (code, state, expected) => {
  expect(canSubmitCode(code, state)).toBe(expected);
});

const TIME = '2026-11-21 09:14:03.123Z';

test('a time is shown as its day, in full, and as RFC 3339', () => {
  expect(dayOf(TIME)).toBe('2026-11-21');
  expect(exactTime(TIME)).toMatch(/^Nov 21, 2026, 9:14:03\sAM UTC$/);
  expect(exactTime('2026-99-99T99:99:99Z')).toBe('2026-99-99T99:99:99Z');
  expect(toIso(TIME)).toBe('2026-11-21T09:14:03.123Z');
  expect(timeToday(7)).toMatch(/^7:00\sAM$/);
});

test('shows characters that would reorder a name as their numbers, and leaves the others', () => {
  expect(inOrder('key \u202eevil 🙂')).toBe('key [U+202E]evil 🙂');
  expect(inOrder('\u2066مرحبا\u2069 \u200f!')).toBe('[U+2066]مرحبا[U+2069] \u200f!');
});

describe('ago', () => {
  test.each([
    [-100, 'just now'],
    [30, 'just now'],
    [60, '1 minute ago'],
    [3 * 3600, '3 hours ago'],
    [26 * 3600, 'yesterday'],
    [40 * 86_400, 'last month'],
    [800 * 86_400, '2 years ago'],
  ])('after %i seconds it says %s', (seconds, text) => {
    expect(ago(TIME, Date.parse(toIso(TIME)) + seconds * 1000)).toBe(text);
  });
});

describe('formatWait', () => {
  test.each(
    Object.entries({ 1: 'in 10 seconds', 41: 'in 50 seconds', 60: 'in a minute', 61: 'in 2 minutes' }),
  )('formats %s seconds as %s', (seconds, text) => {
    expect(formatWait(Number(seconds))).toBe(text);
  });
});

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
