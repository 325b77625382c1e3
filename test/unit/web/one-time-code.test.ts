import { describe, expect, test } from '@jest/globals';
import { type CodeState, canSubmitCode, codeState, toDigits } from '../../../web/src/lib/one-time-code.ts';

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
